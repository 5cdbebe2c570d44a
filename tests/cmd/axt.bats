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
		[ "$n" = ew ] || printf '%s\n' "${lines[@]}" | grep -q "^$n  *[^ ]"
	done
	[ "${#lines[@]}" -eq "$(find "$AXT_BIN" -name 'axt-*' ! -name axt-ew | wc -l)" ]
}

@test "unknown commands name the nearest, foreign verbs too" {
	while read -r word near; do
		fails 2 "axt: unknown command \"$word\"" "axt $word x"
		hints "did you mean axt-$near?"
	done <<-END
	permute order
	cat concat
	sel slice
	groupby reduce --by
	diff equal
	subtract sub
	exp map exp
	mean reduce mean
	reduc reduce
	infoo info
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
	! grep -q ':AXES' c.bash
	fails 2 'axt: completion is made for bash' 'axt completion zsh'
	while IFS=$'\t' read -r _ _ name _; do
		complete axt-equal - | grep -qx -- "$name"
	done < <(axt-equal --options | grep '^option')
}
