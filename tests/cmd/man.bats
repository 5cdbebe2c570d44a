load helper
# Pages: one per command, as the commands say of themselves. tests/pages.py runs their examples.

pages()
{
	for p in "$AXT_TOP"/man/*.1; do
		echo "$p"
	done
	for n in $(axt-ew --list-ops); do
		"$AXT_TOP/man/elementwise.sh" "$n" "$AXT_BIN" >"axt-$n.1"
		echo "$PWD/axt-$n.1"
	done
}

@test "every command has a page and a test" {
	for c in "$AXT_TOP"/cmd/*.c; do
		n=$(basename "$c" .c)
		grep -qE '^(main|CMD_MAIN)\>' "$c" || continue
		case $n in
		ew | linalg | operation) continue ;;
		axt) [ -f "$AXT_TOP/man/axt.1" ] ;;
		*) [ -f "$AXT_TOP/man/axt-$n.1" ] ;;
		esac
		[ -f "$AXT_TOP/tests/cmd/$n.bats" ]
	done
	for n in $(axt-linalg --list); do
		[ -f "$AXT_TOP/man/axt-$n.1" ]
	done
}

@test "sections: EXIT STATUS and EXAMPLES" {
	for p in $(pages); do
		echo "$p"
		for s in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
			grep -qx "\.Sh $s" "$p"
		done
		grep -q '^\$ axt' "$p"
	done
}

@test "SYNOPSIS is the usage line of -h" {
	for p in $(pages); do
		n=$(basename "$p" .1)
		page=$(mandoc -Tascii "$p" | col -bx | sed -n '/^SYNOPSIS/,/^DESCRIPTION/{/^[A-Z]/d;p}' | tr -s ' \n' ' ')
		usage=$("$n" -h | sed '/^$/,$d' | sed 's/^usage: //' | tr -s ' \n' ' ')
		echo "$n: page '$page' usage '$usage'"
		[ "$(echo $page)" = "$(echo $usage)" ]
	done
}

@test "every option of a command is in its page or in axt.1, and no other" {
	for p in $(pages); do
		n=$(basename "$p" .1)
		[ "$n" = axt ] && continue
		cat "$p" "$AXT_TOP/man/axt.1" >both
		"$n" --options | awk -F'\t' '$1 == "option" { print substr($3, 3) }' >have
		while read -r o; do
			echo "$n --$o"
			grep -Eq "^\.It Fl (. , )?-$o( |\$)" both
		done <have
		sed -n 's/^\.It Fl \(. , \)\{0,1\}-\([a-z-]*\).*/\2/p' "$p" >told
		echo "$n"
		[ -z "$(grep -vxFf have told)" ]
	done
}
