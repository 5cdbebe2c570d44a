load helper
# Pages: one per command, as the commands say of themselves. tests/pages.py runs their examples.

pages()
{
	printf '%s\n' "$AXT_TOP"/man/*.1 "${AXT_BUILD:-$AXT_TOP/build}"/man/*.1
}

@test "every command has a page and a test" {
	for n in $(sed -n -e 's/^cmd_main_\([a-z_]*\).int.*/\1/p' -e 's/^CMD_MAIN.\([a-z_]*\).$/\1/p' "$AXT_TOP"/cmd/*.c); do
		case $n in
		operation) continue ;;
		axt) [ -f "$AXT_TOP/man/axt.1" ] ;;
		*) [ -f "$AXT_TOP/man/axt-$n.1" ] ;;
		esac
		[ -f "$AXT_TOP/tests/cmd/$n.bats" ]
	done
	for n in $("$AXT_TOP/scripts/ops" commands); do
		[ -f "${AXT_BUILD:-$AXT_TOP/build}/man/axt-$n.1" ]
	done
}

@test "sections: EXIT STATUS and EXAMPLES" {
	local without s

	for s in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
		without=$(pages | xargs grep -Lx "\.Sh $s" || true)
		echo "without $s: $without"
		[ -z "$without" ]
	done
	without=$(pages | xargs grep -L '^\$ axt' || true)
	echo "without an example: $without"
	[ -z "$without" ]
}

@test "SYNOPSIS is the usage line of -h" {
	local p n page usage all

	mapfile -t all < <(pages)
	[ "${#all[@]}" -gt 90 ]
	set -f # words are compared, without the blanks between them
	for p in "${all[@]}"; do
		n=${p##*/}
		n=${n%.1}
		page=($(mandoc -Tascii "$p" | col -bx | sed -n '/^SYNOPSIS/,/^DESCRIPTION/{/^[A-Z]/d;p}'))
		usage=($("$n" -h | sed '/^$/,$d; s/^usage: //'))
		echo "$n: page '${page[*]}' usage '${usage[*]}'"
		[ "${page[*]}" = "${usage[*]}" ]
	done
}

# The options that pages tell of.
told()
{
	sed -n -E 's/^\.It Fl (. , )?-([a-z0-9-]+)( .*)?$/\2/p' "$@"
}

@test "every option of a command is in its page or in axt.1, and no other" {
	local p n

	told "$AXT_TOP/man/axt.1" >common
	for p in $(pages); do
		n=${p##*/}
		n=${n%.1}
		[ "$n" = axt ] && continue
		"$n" --options | awk -F'\t' '$1 == "option" { print substr($3, 3) }' >have
		told "$p" >own
		echo "$n: not told of: $(cat own common | grep -vxFf - have || true); told of and not there: $(grep -vxFf have own || true)"
		[ -z "$(cat own common | grep -vxFf - have)" ]
		[ -z "$(grep -vxFf have own)" ]
	done
}
