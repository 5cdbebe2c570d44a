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
	works 'axt-attr a.nc && axt-info a.nc && axt-print a.nc && axt-add a.nc 1 -p && axt-add a.nc 1 | axt-reduce sum -p && axt-to --format raw - a.nc'
}

@test "one task, and a batch script of several tasks, are no copies" {
	axt-make iota x=3 -o a.nc
	works 'PMI_SIZE=1 PMI_RANK=0 axt-add a.nc 1 -o o.nc'
	works 'SLURM_PROCID=0 SLURM_NTASKS=64 SLURM_JOB_ID=7 axt-add a.nc 1 -o o.nc'
	works 'SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 SLURM_NTASKS=64 axt-add a.nc 1 -o o.nc'
	works 'OMPI_COMM_WORLD_SIZE=4 axt-add a.nc 1 -o o.nc'
}
