load helper
# The dispatcher and completion.

@test "axt NAME runs axt-NAME, with its status" {
	prints 3 'axt add 1 2 -p'
	fails 2 'axt-add: unknown option --x' 'axt add --x'
	prints "axt $(sed -n 's/^.define AXT_VERSION "\(.*\)"/\1/p' "$AXT_TOP/lib/axt.h")" 'axt --version'
	prints "$(axt-map -h)" 'axt help map'
	prints "$(axt-map -h)" 'axt help axt-map'
	works 'axt help'
	works 'axt -h'
	[[ $output == *"reduce"* ]]
}

@test "axt finds commands in PATH, too" {
	mkdir bin
	printf '#!/bin/sh\necho "mine $*"\n' >bin/axt-mine
	chmod +x bin/axt-mine
	prints 'mine 1 2' 'PATH=$PWD/bin:$PATH axt mine 1 2'
}

@test "axt list: every command with a line" {
	works 'axt list'
	for c in "$AXT_BIN"/axt-*; do
		n=${c##*/axt-}
		[ "$n" = ew ] || [ "$n" = linalg ] || [ "$n" = operation ] || printf '%s\n' "${lines[@]}" | grep -q "^$n  *[^ ]"
	done
	[ "${#lines[@]}" -eq "$(find "$AXT_BIN" -name 'axt-*' | wc -l)" ]
}

@test "unknown commands name the nearest; words of other tools lead to a command line" {
	while IFS=: read -r word line; do
		fails 2 "axt: unknown command \"$word\"" "axt $word x"
		hints "$line"
	done <<-END
	permute:axt-order lat,lon,time,lev a.nc:tas -o c.nc
	cat:axt-concat time *
	sel:axt-slice time@2001 *
	select:axt-slice time@2001 *
	groupby:axt-reduce mean --over time --by *
	cmp:axt-equal *
	subtract:axt-sub a.nc:tas b.nc:tas
	exp:axt-map exp a.nc:tas
	mean:axt-reduce mean --over time a.nc:tas
	monmean:axt-reduce mean --every month *
	ymonstd1:axt-reduce std --ddof 1 --over time --by time.month *
	ncra:axt-reduce mean --over time *
	roll:axt-shift time=1 *
	remapcon:axt-regrid --to b.nc:tas 'a.nc:*' -o c.nc
	remaplaf:axt-regrid --to b.nc:tas --method largest 'a.nc:*' -o c.nc
	reduc:did you mean axt-reduce[?]
	infoo:did you mean axt-info[?]
	END
	fails 2 'axt: unknown command "qqqqqq"' 'axt qqqqqq'
	fails 2 'axt: no command' axt
	fails 2 'axt: unknown command "../add"' 'axt ../add'
}

@test "completion: bash reads it, options, words, values" {
	works 'axt completion bash >c.bash && bash -n c.bash'
	complete() {
		bash -c ". ./c.bash; COMP_WORDS=($*); COMP_CWORD=\$((\${#COMP_WORDS[@]} - 1)); _axt; printf '%s\n' \"\${COMPREPLY[@]}\""
	}
	[ "$(complete axt-reduce --skip)" = --skip-nan ]
	[ "$(complete axt reduce --skip)" = --skip-nan ]
	[ "$(complete axt redu)" = reduce ]
	[ "$(complete axt-reduce logs)" = logsumexp ]
	[ "$(complete axt map sigm)" = sigmoid ]
	[ "$(complete axt-add --dtype bf)" = bf16 ]
	[ "$(complete axt-add --device cu)" = cuda ]
	[ "$(complete axt-cast --overflow w)" = wrap ]
	[ "$(complete axt-add --join ov)" = override ]
	[ "$(complete axt-add --join e)" = exact ]
	make_a
	[ "$(complete axt-reduce mean a.nc --over l | paste -sd' ')" = 'lat lon' ]
	[ "$(complete axt-print a.nc : te)" = tensor ]
	make_cf
	[ "$(complete axt-print cf.nc : | sort | paste -sd' ')" = 'lat t time' ]
	[ "$(complete axt-reduce mean cf.nc --over t)" = time ]
	[ "$(complete axt-sort cf.nc --along l)" = lat ]
	[ "$(complete axt-flip cf.nc l)" = lat ]
	[ "$(complete axt-slice cf.nc time.m)" = time.month ]
	[ "$(complete axt slice cf.nc ti | head -n 2 | paste -sd' ')" = 'time time.year' ]
	[ "$(complete axt-coord drop cf.nc la)" = lat ]
	[ "$(complete axt-reduce mean cf.nc --by time.s)" = time.season ]
	[ "$(complete axt-add cf.nc l)" = "" ]
	sh_run 'axt-reduce mean --by time.xyz cf.nc' # the fields that there are, in the same order
	[[ $stderr == *"fields of time are $(complete axt-slice cf.nc time. | sed 's/time\.//' | paste -sd, | sed 's/,/, /g')" ]]
	lacks ':AXES' c.bash
	fails 2 'axt: completion is made for bash, zsh and fish' 'axt completion csh'
	while IFS=$'\t' read -r _ _ name _; do
		complete axt-equal - | grep -qx -- "$name"
	done < <(axt-equal --options | grep '^option')
}

@test "completion: zsh and fish name every command, option and word" {
	works 'axt completion zsh >_axt && axt completion fish >axt.fish'
	if command -v zsh >/dev/null; then zsh -n _axt; fi
	if command -v fish >/dev/null; then fish -n axt.fish; fi
	[ "$(head -n 1 _axt | cut -d' ' -f 1-2)" = '#compdef axt' ]
	/usr/bin/python3 - <<-'EOF'
	import re, subprocess
	run = lambda *a: subprocess.run(a, capture_output=True, text=True, check=True).stdout
	zsh, fish = open('_axt').read(), open('axt.fish').read()
	zsh_part = dict(re.findall(r'^\t(axt-[\w-]+)\)\n(.*?);;$', zsh, re.M | re.S))
	fish_part = dict(re.findall(r'^\tcase (axt-[\w-]+)\n(.*?)(?=^\tcase |^\tend$)', fish, re.M | re.S))
	names = [line.split()[0] for line in run('axt', 'list').splitlines()]
	assert len(names) > 60
	for n in names:
	    c = 'axt-' + n
	    assert f' {c}' in zsh.splitlines()[0] and f"'{n}:" in zsh, c
	    assert f'complete -c {c} ' in fish and f"'{n}\t" in fish, c
	    for line in run(c, '--options').splitlines():
	        kind, *f = line.split('\t')
	        if kind == 'option':
	            for word in [f[1]] + [f[0]] * (len(f[0]) == 2 and f[0] != '--'):
	                assert f"'{word}\t" in fish_part[c], (c, word)
	                assert re.search(rf"[',{{]{re.escape(word)}[\[,}}]", zsh_part[c]), (c, word)
	        if kind == 'word':
	            assert f"'{f[0]}\t" in fish_part[c] and re.search(rf'[( ]{re.escape(f[0])}[ )]', zsh_part[c]), (c, f[0])
	EOF
	make_cf
	if command -v zsh >/dev/null; then
		zsh_says() {
			zsh -fc "compadd() { print -l -- \"\$@\" }; compdef() { }; _files() { print files }; source ./_axt; $1"
		}
		[ "$(zsh_says 'words=(axt-reduce mean cf.nc --over); _axt_axes' | paste -sd' ')" = '-- time lat' ]
		[ "$(zsh_says 'PREFIX=cf.nc:; _axt_operand' | paste -sd' ')" = '-P cf.nc: -- t time lat' ]
		[ "$(zsh_says 'PREFIX=cf; _axt_operand')" = files ]
		[ "$(zsh_says 'words=(axt-slice cf.nc); _axt_parts' | grep -c 'time.month\|^lat$')" -eq 2 ]
	fi
	[[ $(sed -n '/^	axt-flip)/,/;;/p' _axt) == *"operand:_axt_axes_or_operand'"* ]]
	[[ $(sed -n '/^	axt-add)/,/;;/p' _axt) == *"operand:_axt_operand'"* ]]
	command -v fish >/dev/null || return 0
	[ "$(fish -c 'source axt.fish; complete -C"axt-slice cf.nc time.m"' | cut -f 1)" = time.month ]
	# fish offers files there, too
	[ "$(fish -c 'source axt.fish; complete -C"axt-print cf.nc:"' | cut -f 1 | grep -cx 'cf.nc:lat\|cf.nc:t\|cf.nc:time')" -eq 3 ]
	[ "$(fish -c 'source axt.fish; complete -C"axt-reduce mean cf.nc --over t"' | cut -f 1)" = time ]
	[ "$(fish -c 'source axt.fish; complete -C"axt-reduce --skip"' | cut -f 1)" = --skip-nan ]
	[ "$(fish -c 'source axt.fish; complete -C"axt reduce logs"' | cut -f 1)" = logsumexp ]
	[ "$(fish -c 'source axt.fish; complete -C"axt-add --dtype bf"' | cut -f 1)" = bf16 ]
}
