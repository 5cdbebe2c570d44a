load helper
# Pipelines with plain tools in between, and every way a shell joins commands. Where the plan of a writer should be
# taken, its output is larger than a pipe, so that it cannot be done before it is asked.

# As in helper, but what hangs is ended.
sh_run()
{
	run --separate-stderr timeout 60 bash -o pipefail -c "$1" </dev/null
	echo "\$ $1"
	printf '%s\n' "status $status" "stdout: $output" "stderr: ${stderr-}"
}

# same A B: the same values; histories may differ.
same()
{
	works "axt-equal $1 $2"
}

# want.h5 is what two negations of a.h5 give
make_big()
{
	axt-make random t=40,x=100,y=200 --dtype f32 --seed 1 --no-history -o a.h5
	axt-make random:1:2 x=100,y=200 --dtype f32 --seed 2 --no-history -o b.h5
	axt-map negative a.h5 --no-history -o n.h5
	axt-map negative n.h5 --no-history -o want.h5
}

# agrees PIPELINE: plans, bytes; the same file, nothing said, all statuses 0. %O is its -o and what every command needs.
agrees()
{
	for way in 1 0; do
		works "export AXT_FUSE=$way; bash -o pipefail -c '${1//%O/--no-history -o $way.out}
		for s in \"\${PIPESTATUS[@]}\"; do [ \$s = 0 ] || exit 99; done'"
	done
	cmp 1.out 0.out
}

# taken N PIPELINE: --explain at its end says that the plans of so many streams were taken. One of several streams may be
# kept whole while another is waited for, and its writer be done: tried again.
taken()
{
	for _ in 1 2 3 4 5; do
		sh_run "bash -c '$2'"	# --explain may leave bytes unread
		[ "$status" -eq 0 ]
		[ -z "$stderr" ]
		[ "$(grep -c "its writer's plan is taken" <<<"$output")" -ne "$1" ] || return 0
	done
	false
}

@test "directly joined: taken; every status is 0" {
	make_big
	taken 1 'axt-map square a.h5 | axt-map sqrt --explain'
	taken 2 'axt-map square a.h5 | axt-sub - <(axt-map sqrt a.h5) --explain'
	agrees 'axt-map square a.h5 | axt-reduce mean --over t - %O'
	agrees 'axt-sub a.h5 b.h5 | axt-map square | axt-add 1 | axt-div - b.h5 | axt-map sqrt | axt-reduce sum %O'
	agrees 'axt-sub a.h5 <(axt-reduce mean --over t a.h5) | axt-map square | axt-reduce mean --over t | axt-map sqrt %O'
	agrees 'axt-add <(axt-map absolute a.h5) <(axt-map absolute a.h5) | axt-sub - <(axt-mul a.h5 <(axt-map square b.h5)) %O'
	agrees 'axt-order y,t,x a.h5 | axt-order x,y,t | axt-mul - <(axt-order y,x b.h5) %O'
}

@test "tee: a complete copy, equal to what -o writes; its output is never a plan" {
	make_big
	works 'axt-map square a.h5 --no-history -o square.h5'
	works 'axt-map square a.h5 --no-history | tee copy.h5 | axt-reduce sum --no-history -o sum.h5'
	cmp square.h5 copy.h5
	works 'axt-map square a.h5 --no-history >redirected.h5'
	cmp square.h5 redirected.h5
	works 'axt-reduce sum square.h5 --no-history -o want-sum.h5'
	cmp want-sum.h5 sum.h5
	taken 0 'axt-map square a.h5 | tee copy.h5 | axt-map sqrt --explain'
	# taken on both sides of it, not across
	taken 0 'axt-map square a.h5 | axt-map sqrt | tee copy.h5 | axt-map sqrt --explain'
	works 'axt-map square a.h5 --no-history | axt-map sqrt --no-history | tee copy.h5 | axt-reduce sum -o sum.h5'
	works 'axt-map sqrt square.h5 --no-history -o want2.h5'
	cmp want2.h5 copy.h5
}

@test "cat, dd, gzip, buffers: bytes pass" {
	make_big
	agrees 'axt-map square a.h5 --no-history | cat | axt-map sqrt %O'
	agrees 'axt-map square a.h5 --no-history | cat | cat | axt-sub - <(cat b.h5) | axt-map sqrt %O'
	agrees 'axt-map square a.h5 --no-history | gzip -1 | gunzip | axt-map sqrt %O'
	agrees 'axt-map square a.h5 --no-history | dd bs=777 status=none | axt-map sqrt %O'
	agrees 'axt-map square a.h5 --no-history | dd bs=1M iflag=fullblock status=none | axt-map sqrt %O'
	agrees 'axt-map square a.h5 --no-history | (sleep 0.1; cat) | axt-map sqrt %O'
	agrees 'axt-map square a.h5 --no-history | tail -c +1 | axt-map sqrt %O'
	taken 0 'axt-map square a.h5 | cat | axt-map sqrt --explain'
	taken 0 'axt-map square a.h5 | cat | axt-map sqrt | axt-map square --explain'
	if command -v pv >/dev/null; then
		agrees 'axt-map square a.h5 --no-history | pv -q | axt-map sqrt %O'
	fi
}

@test "head -c: a short stream is an error with a message, and no output" {
	make_big
	for n in 0 1 7 100 8191 8192 8193 100000 3207167; do
		for way in 0 1; do
			sh_run "export AXT_FUSE=$way; axt-map square a.h5 --no-history 2>/dev/null | head -c $n | axt-map sqrt -o out.h5"
			[ "$status" -ne 0 ]
			[ "${#stderr_lines[@]}" -eq 1 ]
			[[ $stderr == 'axt-map: -: '* ]]
			[ ! -e out.h5 ]
		done
	done
	[ "$(axt-map square a.h5 --no-history | wc -c)" -gt 3200000 ]
	sh_run 'axt-map square a.h5 | head -c 100000 | axt-reduce sum -p; echo "${PIPESTATUS[@]}"'
	[ "$output" = '141 0 1' ]
	# and in the middle of a fused pipeline
	sh_run 'axt-map square a.h5 | head -c 100000 | axt-map sqrt | axt-reduce sum -o out.h5; echo "${PIPESTATUS[@]}"'
	[[ $output == '141 0 1 1' ]]
	[ ! -e out.h5 ]
	[ "$(ls)" = $'a.h5\nb.h5\nn.h5\nwant.h5' ]
}

@test "bytes after the end are an error" {
	make_big
	for line in '{ axt-map square a.h5; echo; }' '{ axt-map square a.h5; axt-map sqrt a.h5; }' \
	    '{ axt-map square a.h5; cat a.h5; }' '{ axt-map square b.h5; axt-map square b.h5; }' \
	    '{ axt-reduce sum b.h5; axt-reduce sum b.h5; }'; do
		for way in 0 1; do
			sh_run "export AXT_FUSE=$way; bash -c '$line' 2>/dev/null | axt-map absolute -o out.h5"
			[ "$status" -eq 1 ]
			[ "${#stderr_lines[@]}" -eq 1 ]
			[[ $stderr == 'axt-map: -: '* ]]
			[ ! -e out.h5 ]
		done
	done
}

@test "a saved stream replayed is a stream of bytes" {
	make_big
	works 'axt-map square a.h5 --no-history >s.h5'
	rm want.h5
	taken 0 'cat s.h5 | axt-map sqrt --explain'
	taken 0 'axt-map sqrt --explain <s.h5'
	agrees 'cat s.h5 | axt-map sqrt %O'
	works 'axt-map sqrt s.h5 --no-history -o want.h5'
	cmp want.h5 1.out
	# also while its first writer runs, into another pipe
	works 'mkfifo f; axt-map square a.h5 --no-history >f & sleep 0.1; cat s.h5 | axt-map sqrt --no-history -o x.h5; cat f >/dev/null; wait'
	same want.h5 x.h5
	rm f
	# and gzip of it
	works 'gzip -1 <s.h5 >s.gz; gunzip <s.gz | axt-map sqrt --no-history -o x.h5'
	same want.h5 x.h5
}

@test "named FIFOs, opened by the shell or by the command" {
	make_big
	mkfifo f
	for way in 0 1; do
		works "export AXT_FUSE=$way; axt-map negative a.h5 >f & axt-map negative f --no-history -o x.h5 && wait \$!"
		same x.h5 want.h5
		works "export AXT_FUSE=$way; axt-map negative a.h5 -o f & axt-map negative f --no-history -o x.h5 && wait \$!"
		same x.h5 want.h5
		works "export AXT_FUSE=$way; axt-map negative f --no-history -o x.h5 & axt-map negative a.h5 -o f && wait \$!"
		same x.h5 want.h5
		works "export AXT_FUSE=$way; axt-map negative a.h5 >f & axt-map negative <f --no-history -o x.h5 && wait \$!"
		same x.h5 want.h5
	done
	taken 1 'axt-map negative a.h5 -o f & axt-map negative f --explain; wait'
	taken 1 'axt-map negative a.h5 >f & axt-map negative --explain <f; wait'
	# one that was used keeps nothing
	taken 0 'cat a.h5 >f & axt-map negative f --explain; wait'
	taken 1 'axt-map negative a.h5 -o f & axt-map negative f --explain; wait'
}

@test "three FIFOs, in odd orders" {
	make_big
	axt-map square a.h5 -o s.h5
	works 'axt-add a.h5 n.h5 s.h5 --no-history -o want.h5'
	mkfifo f g h
	w1='axt-add a.h5 0 >f' w2='axt-add n.h5 0 -o g' w3='axt-add s.h5 0 >h'
	for way in 0 1; do
		for line in "$w1 & $w2 & $w3 &" "$w3 & $w2 & $w1 &" "$w2 & $w3 & sleep 0.1; $w1 &" \
		    "{ $w3; } & { sleep 0.1; $w1; } & { sleep 0.2; $w2; } &"; do
			for r in 'f g h' 'h f g'; do
				works "export AXT_FUSE=$way; $line axt-add $r --no-history -o got.h5 && wait"
				works 'axt-equal got.h5 want.h5 --rtol 1e-5 --atol 1e-5'
			done
		done
		# one process writes all three, one after the other: what is kept lets it go on
		works "export AXT_FUSE=$way; { $w3; $w2; $w1; } & axt-add f g h --no-history -o got.h5 && wait"
		same want.h5 got.h5
	done
}

@test "tee into two operands" {
	make_big
	mkfifo f g
	works 'axt-map square a.h5 --no-history -o want.h5'
	for way in 0 1; do
		works "export AXT_FUSE=$way; axt-add a.h5 0 | tee f >g & axt-mul f g --no-history -o x.h5 && wait"
		same want.h5 x.h5
		works "export AXT_FUSE=$way; axt-add a.h5 0 | tee f >g & axt-mul g f --no-history -o x.h5 && wait"
		same want.h5 x.h5
		works "export AXT_FUSE=$way; axt-add a.h5 0 | tee >(axt-reduce sum --no-history -o s.h5) | axt-map square --no-history -o x.h5"
		same want.h5 x.h5
		# one side is needed in another order
		works "export AXT_FUSE=$way; axt-add a.h5 0 | tee f >g & axt-sub f <(axt-order y,x,t g) --axes t,x,y -o x.h5 && wait"
		prints 0 'axt-reduce max x.h5 -p'
	done
	works 'axt-add a.h5 0 --no-history | tee f >g & axt-mul f g -o x.h5 && wait'
}

@test "inputs are told by descriptor, not by name" {
	make_big
	mkdir d1 d2
	cp a.h5 d1/x.h5
	axt-add a.h5 1 -o d2/x.h5
	works '(cd d1; axt-map negative x.h5) | (cd d2; axt-add - x.h5 -o ../x.h5)'
	prints 1 'axt-reduce max x.h5 -p'
	prints 1 'axt-reduce min x.h5 -p'
	# deleted or renamed: the writer has it open
	works 'cp a.h5 gone.h5; axt-map negative gone.h5 | (sleep 0.1; rm gone.h5; axt-map negative --no-history -o x.h5)'
	same x.h5 want.h5
	works 'cp a.h5 old.h5; axt-map negative old.h5 | (sleep 0.1; mv old.h5 new.h5; cp b.h5 old.h5; axt-map negative --no-history -o x.h5)'
	same x.h5 want.h5
	# standard input and descriptors have names of their own
	works 'axt-map negative <a.h5 | axt-map negative --no-history -o x.h5'
	same x.h5 want.h5
	works 'axt-map negative /dev/fd/8 8<a.h5 | axt-add - /dev/fd/8 8<b.h5 --no-history -o x.h5'
	works 'AXT_FUSE=0; export AXT_FUSE; axt-map negative /dev/fd/8 8<a.h5 | axt-add - /dev/fd/8 8<b.h5 --no-history -o y.h5'
	cmp x.h5 y.h5
	works 'axt-map negative a.h5 | axt-map negative --no-history -o a.h5'
	same a.h5 want.h5
}

@test "an output that is an input of an earlier command" {
	make_big
	works 'axt-map negative a.h5 | cat | axt-map negative --no-history -o a.h5'
	same a.h5 want.h5
	works 'axt-add a.h5 1 | axt-sub - a.h5 | axt-sub 2 - --no-history -o a.h5'
	# it is no operand of the command that replaces it, plan or bytes
	for way in 1 0; do
		py 'f = h5py.File("m.h5", "w"); f["u"] = np.ones((1000, 1000), "f4"); f["v"] = f["u"][()]'
		works "export AXT_FUSE=$way; axt-map square m.h5:u | axt-map sqrt -o m.h5"
		prints 1 'axt-reduce max m.h5 -p'
	done
	py 'f = h5py.File("m.h5", "w"); f["u"] = np.ones((1000, 1000), "f4"); f["v"] = f["u"][()]'
	for way in 1 0; do
		fails 1 'axt-add: m.h5 is also an operand *' "export AXT_FUSE=$way; axt-map square m.h5:u 2>/dev/null | axt-add - m.h5:v -o m.h5"
	done
	prints 1 'axt-reduce max a.h5 -p'
}

@test "odd names" {
	make_big
	# shellcheck disable=SC2089,SC2090
	n=$'a b\tc%41;é"\'$(x)\\n\nd.h5'
	cp a.h5 "$n"
	# shellcheck disable=SC2090
	export n
	works 'axt-map negative "$n" | axt-map negative --no-history -o x.h5'
	same x.h5 want.h5
	works 'axt-map negative "$n" | axt-map negative --explain >/dev/null'
	py 'f = h5py.File("o.h5", "w")
a = f.create_dataset("p q/t=1,[x]:é%20", data=np.arange(600000, dtype="f4").reshape(600, 1000))
for i, n in enumerate(("x y,=[]", "é*%")):
    f["p q"][n] = np.arange(a.shape[i]); f["p q"][n].make_scale(n); a.dims[i].attach_scale(f["p q"][n])'
	agrees 'axt-map negative "o.h5:p q/t=1,[x]:é%20" --no-history | axt-map square | axt-map sqrt %O'
}

@test "several results" {
	make_big
	agrees 'axt-reduce mean,std,max --over t a.h5 --no-history | axt-map sqrt -:std %O'
	agrees 'axt-add <(axt-reduce mean,std --over t a.h5):mean b.h5 %O'
	mkfifo f
	for way in 0 1; do
		works "export AXT_FUSE=$way; axt-reduce mean,std --over x a.h5 --no-history >f & axt-sub f:mean f:std --no-history -o $way.h5 && wait"
	done
	cmp 0.h5 1.h5
	sh_run 'axt-reduce mean,std --over t a.h5 | axt-info --stats -'
	[ "$status" -eq 0 ]
	[ "$(grep -c '20000 values' <<<"$output")" -eq 2 ]
	fails 1 'axt-map: *none*' 'axt-reduce mean,std --over t a.h5 2>/dev/null | axt-map sqrt -:none -p'
}

@test "axt-info, --explain, -p and axt-print at the end" {
	make_big
	sh_run 'axt-map square a.h5 | axt-map sqrt | axt-info --plan'
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = 'axt-plan 1' ]
	[[ $output == *'map sqrt f32 [t=40,x=100,y=200]'*end ]]
	sh_run 'axt-map square a.h5 | cat | axt-info --plan'
	[ "$output" = 'no plan: an input is a stream' ]
	sh_run 'axt-map square a.h5 | axt-info'
	[ "$status" -eq 0 ]
	[[ $output == *'t=40 x=100 y=200'* ]]
	works 'axt-map sqrt b.h5 -o s.h5; axt-print --head 2 s.h5 >want; axt-map sqrt b.h5 | axt-print --head 2 >got; cmp want got'
	for way in 0 1; do
		# it reads no more than it prints
		sh_run "export AXT_FUSE=$way; axt-map square a.h5 | axt-map sqrt | axt-print --head 2"
		[ "$status" -eq 0 ] || [ "$status" -eq 141 ]
		[ "${#lines[@]}" -ge 2 ]
		[ -z "$stderr" ]
		echo "$output" >$way.txt
		works "export AXT_FUSE=$way; axt-map square a.h5 | axt-reduce sum -p; axt-map square a.h5 | axt-map sqrt -p | md5sum"
		echo "$output" >>$way.txt
	done
	cmp 0.txt 1.txt
	works 'axt-map absolute a.h5 | axt-equal - <(axt-map square a.h5 | axt-map sqrt) --rtol 1e-6'
	sh_run 'axt-map square a.h5 | axt-equal - <(axt-map absolute a.h5)'
	[ "$status" -eq 1 ]
}

@test "pipefail: a writer that fails is told" {
	make_big
	for way in 0 1; do
		sh_run "export AXT_FUSE=$way; axt-map square none.h5 | axt-map sqrt | axt-reduce sum -o x.h5; echo \"\${PIPESTATUS[@]}\""
		[ "$output" = '1 1 1' ]
		[ "${#stderr_lines[@]}" -eq 3 ]
		sh_run "export AXT_FUSE=$way; axt-cast --dtype i8 a.h5 | axt-mul - 300 | axt-cast --dtype i8 --overflow error -o x.h5; echo \"\${PIPESTATUS[@]}\""
		[ "${output##* }" -eq 1 ]
		sh_run "export AXT_FUSE=$way; axt-map square a.h5 | axt-map nosuch -o x.h5; echo \"\${PIPESTATUS[@]}\""
		[[ $output == '141 2' || $output == '0 2' ]]
		[ "${#stderr_lines[@]}" -le 2 ]
		[ ! -e x.h5 ]
	done
	# a reader that needs nothing of it
	sh_run 'axt-map square a.h5 | true; echo "${PIPESTATUS[@]}"'
	[[ $output == '141 0' ]]
	[ -z "$stderr" ]
	sh_run 'axt-map square a.h5 | sleep 0.2; echo "${PIPESTATUS[@]}"'
	[[ $output == '141 0' ]]
	[ -z "$stderr" ]
	sh_run 'axt-map square a.h5 | axt-map sqrt | axt-map absolute | head -c 10 | wc -c; echo "${PIPESTATUS[@]}"'
	[[ ${lines[1]} == *' 141 0 0' ]]
	[ -z "$stderr" ]
}

@test "SIGPIPE ignored" {
	make_big
	works "trap '' PIPE; axt-map square a.h5 | axt-map sqrt | axt-reduce sum --no-history -o x.h5"
	works 'axt-map square a.h5 | axt-map sqrt | axt-reduce sum --no-history -o y.h5'
	cmp x.h5 y.h5
	for way in 0 1; do
		sh_run "trap '' PIPE; export AXT_FUSE=$way; axt-map square a.h5 | head -c 10 >/dev/null; echo \"\${PIPESTATUS[@]}\""
		[ "$output" = '1 0' ]
		[[ $stderr == 'axt-map: standard output: Broken pipe' ]]
	done
}

@test "background jobs" {
	make_big
	works 'for i in 1 2 3 4; do axt-map square a.h5 | axt-map sqrt | axt-reduce sum --no-history -o $i.h5 & done; wait
		for i in 2 3 4; do cmp 1.h5 $i.h5; done'
	works 'axt-map square a.h5 | { sleep 0.2 & axt-map sqrt --no-history -o x.h5; }'
	# a job that inherits both ends holds nothing up
	works 'exec 7>&1; axt-map square a.h5 | (sleep 0.3 7>&- & axt-map sqrt --no-history -o y.h5); cmp x.h5 y.h5'
	works '(axt-map square a.h5; sleep 0.3) | axt-map sqrt --no-history -o y.h5; cmp x.h5 y.h5'
}

@test "xargs, parallel, make" {
	make_big
	for i in 1 2 3 4; do
		cp b.h5 b$i.h5
	done
	works 'axt-map square b.h5 | axt-map sqrt --no-history -o want.h5'
	works "printf '%s\n' 1 2 3 4 | xargs -P2 -I{} bash -c 'axt-map square b{}.h5 | axt-map sqrt --no-history -o x{}.h5'"
	for i in 1 2 3 4; do
		same want.h5 x$i.h5
	done
	works "printf '%s\n' b1.h5 b2.h5 | xargs -P2 -I{} axt-map square {} -o {}.sq"
	works 'printf "%s\n" a.h5 b.h5 | xargs axt-add | axt-reduce sum -p >/dev/null'
	cat >Makefile <<-'EOF'
		SHELL := /bin/bash
		.SHELLFLAGS := -o pipefail -c
		.RECIPEPREFIX := >
		all: $(patsubst %,m%.h5,1 2 3 4)
		m%.h5: b%.h5
		>@axt-map square $< | axt-map sqrt --no-history -o $@
	EOF
	works 'make -s -j2'
	for i in 1 2 3 4; do
		same want.h5 m$i.h5
	done
	works 'make -s -j2'
	if command -v parallel >/dev/null; then
		works "mkdir home; HOME=\$PWD/home parallel --will-cite -j2 'axt-map square b{}.h5 | axt-map sqrt --no-history -o p{}.h5' ::: 1 2 3 4 2>/dev/null"
		for i in 1 2 3 4; do
			same want.h5 p$i.h5
		done
		works "HOME=\$PWD/home parallel --will-cite -j2 --pipe --block 100M axt-reduce sum -p <a.h5 2>/dev/null >/dev/null || true"
	fi
}

@test "stages with different --threads and --memory" {
	make_big
	agrees 'axt-map square a.h5 -t 1 --no-history | axt-order y,x,t -t 3 -m 8M --no-history - | axt-map sqrt -t 2 %O'
	agrees 'axt-map square a.h5 -m 64K --no-history | axt-reduce mean --over t -t 1 -m 8M - %O'
	agrees 'AXT_THREADS=1 axt-map square a.h5 --no-history | AXT_FUSE=0 axt-map sqrt --no-history | axt-map absolute %O'
	agrees 'AXT_FUSE=0 axt-map square a.h5 --no-history | axt-map sqrt --no-history | axt-map absolute %O'
}

@test "thirty commands" {
	make_big
	p='axt-add b.h5 1 --no-history'
	for i in {1..28}; do
		p="$p | axt-add $i --no-history"
	done
	agrees "$p | axt-sub - 406 %O"
	p='cat b.h5'
	for i in {1..12}; do
		p="axt-add <($p) $i --no-history"
	done
	agrees "$p | axt-sub - 78 %O"
}

@test "no more descriptors: bytes" {
	make_big
	works 'axt-map square a.h5 | axt-map sqrt --no-history -o want.h5'
	for n in 7 8 9 10 12; do
		sh_run "(ulimit -n $n; axt-map square a.h5) 2>/dev/null | (ulimit -n $n; axt-map sqrt --no-history -t 1 -o x.h5)"
		if [ "$status" -eq 0 ]; then
			works 'axt-equal x.h5 want.h5'
		else
			[ "$status" -eq 1 ] || [ "$status" -eq 141 ] || [ "$status" -eq 127 ]
			[ -n "$stderr" ]
			[ ! -e x.h5 ]
		fi
		rm -f x.h5
	done
}
