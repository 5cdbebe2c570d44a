load helper

setup_file()
{
	export AXT_FUSE=1
}

@test "copies that a launcher runs do not write one file" {
	axt-make iota x=3 -o a.nc
	while read -r said env; do
		fails 2 "axt-add: this is one of 4 copies that ${said%:*} runs (${said#*:}=4), and each would write o.nc" "$env axt-add a.nc 1 -o o.nc"
		[ ! -e o.nc ]
		works "$env axt-add a.nc 1 -o o.nc --copies && rm o.nc"
	done <<-'EOF'
		mpirun:OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=1
		mpirun:PMI_SIZE PMI_SIZE=4 PMI_RANK=3
		srun:SLURM_STEP_NUM_TASKS SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0
	EOF
	fails 2 'axt-add: this is one of 4 copies*' 'PMI_SIZE=4 PMI_RANK=0 axt-add a.nc 1 -o o.nc'
	hints 'without mpirun one copy uses all cores; --copies lets each of them run, for files of their own'
}

@test "every command that writes a file refuses, and what is only shown or piped does not" {
	axt-make iota x=3 -o a.nc
	cp a.nc b.nc
	export PMI_SIZE=2 PMI_RANK=1
	for c in 'assign a.nc = 1' 'attr units=K a.nc' 'attr units=K --in-place a.nc' 'move a.nc:tensor a.nc:b' 'remove a.nc:tensor' 'to o.npy a.nc' \
		'split x a.nc' 'copy a.nc -o o.nc' 'append --along x a.nc b.nc' 'kind constant a.nc'; do
		fails 2 "*: this is one of 2 copies that mpirun runs (PMI_SIZE=2)*" "axt-$c"
	done
	works 'axt-equal a.nc b.nc'
	works 'axt-attr a.nc && axt-info a.nc && axt-equal a.nc b.nc && axt-add a.nc 1 -p --copies && axt-add a.nc 1 --explain'
}

@test "targets of axt-calc, words and pictures are files, too" {
	axt-make iota x=3 -o a.nc
	cp a.nc b.nc
	for env in 'OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=1 PMIX_RANK=1' 'PMI_SIZE=4 PMI_RANK=3 PMI_FD=9' \
		'SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0' 'SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 PMIX_RANK=0'; do
		for c in "calc 'a.nc:tensor *= 2'" "calc 'a.nc:tensor *= 2' --in-place" "calc 'a.nc:tensor[x=0] = 7'" \
			"calc 'new.nc:t = a + 1' a=a.nc" "calc 'a.nc:tensor[x=0] = 7; a.nc:tensor[x=1] = 8'" \
			'plot a.nc -o p.png' 'plot a.nc -o p.txt' 'append --along x a.nc b.nc' 'assign a.nc[x=0] += 1' 'to o.csv a.nc' \
			'attr units=K a.nc' 'move tensor=b a.nc' 'remove a.nc:tensor' 'kind constant a.nc' 'split x -P p_{}.nc a.nc' \
			'save a.nc -o e.nc'; do
			fails 2 "*: this is one of 4 copies that *runs*, and each would write *" "$env axt-$c"
		done
		works "$env axt-calc 'a.nc:tensor *= 2' --explain | grep -q a.nc || true"
	done
	works 'axt-equal a.nc b.nc'
	[ "$(ls)" = $'a.nc\nb.nc' ]
	works "PMI_SIZE=4 PMI_RANK=3 axt-calc 'a.nc:tensor *= 2' --copies"
	prints $'0\n2\n4' 'axt-print a.nc | grep -v x'
}

@test "standard output of several copies is one, but for a pipe that each has within itself" {
	axt-make iota x=3 -o a.nc
	export PMI_SIZE=2 PMI_RANK=1
	for c in 'add a.nc 1' 'add a.nc 1 -p' 'print a.nc' 'print --csv a.nc' 'plot a.nc' 'to --format raw - a.nc' 'add a.nc 1 -o -' 'print --spark a.nc'; do
		fails 2 '*: this is one of 2 copies that mpirun runs (PMI_SIZE=2), and each would write to standard output' "axt-$c"
		fails 2 '*: this is one of 2 copies that mpirun runs (PMI_SIZE=2), and each would write to standard output' "axt-$c >o"
		fails 2 '*: this is one of 2 copies that mpirun runs (PMI_SIZE=2), and each would write to standard output' "true | axt-$c"
		works "axt-$c >/dev/null && axt-$c --copies >o"
	done
	fails 2 'axt-add: *' 'axt-add a.nc 1'
	hints 'without mpirun one copy uses all cores; --copies *'
	works 'axt-add a.nc 1 | axt-mul - 2 | cat >o'
	works 'x=$(axt-print a.nc) && [ -n "$x" ]'
	fails 2 'axt-reduce: *' 'axt-add a.nc 1 | axt-reduce sum -p'
}

@test "random numbers of a job have a seed" {
	axt-make iota x=30 --name t -o a.nc
	for c in 'axt-make random x=30' "axt-calc 'a + normal(x=30)' a=a.nc" "axt-calc 'mean(where(a > 3, random(x=30), a))' a=a.nc"; do
		fails 1 '*: each part would draw other random numbers, since none is told their seed' "$c --part 1/2 -o p.1.nc"
		hints '--seed 1 of axt-make and seed=1 of axt-calc make them the same'
		[ ! -e p.1.nc ]
	done
	works 'axt-make random x=30 --seed 4 --part 1/2 -o p.1.nc && axt-make random x=30 --seed 4 --part 2/2 -o p.2.nc'
	works 'axt-merge p.1.nc p.2.nc -o m.nc && axt-make random x=30 --seed 4 -o w.nc && cmp m.nc w.nc'
	works "axt-calc 'random(x=30, seed=4)' --part 1/1 -o q.nc"
	# in each copy the first command of a pipe draws for itself
	fails 1 'axt-make: each process would draw other random numbers*' 'PMI_SIZE=2 PMI_RANK=1 bash -o pipefail -c "axt-make random x=30 | cat"'
}

@test "one task, and a batch script of several tasks, are no copies" {
	axt-make iota x=3 -o a.nc
	works 'PMI_SIZE=1 PMI_RANK=0 axt-add a.nc 1 -o o.nc'
	works 'SLURM_PROCID=0 SLURM_NTASKS=64 SLURM_JOB_ID=7 axt-add a.nc 1 -o o.nc'
	works 'SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 SLURM_NTASKS=64 axt-add a.nc 1 -o o.nc'
	works 'OMPI_COMM_WORLD_SIZE=4 axt-add a.nc 1 -o o.nc'
}
