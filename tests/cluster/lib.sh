# Helpers to be sourced: a real Slurm on this one machine, and what asks it.
# Everything lies under $cluster_dir, which the sourcing script sets first.

export SLURM_CONF=$cluster_dir/slurm.conf
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Ranks of two virtual nodes bound to the same core can starve one another for ever: never bind.
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo

# skip REASON: ctest shows the test as skipped (its SKIP_RETURN_CODE is 77).
skip() {
    echo "skipped: $1"
    exit 77
}

# need_slurm: a real Slurm can be started here, or the test is skipped.
need_slurm() {
    [ "$(id -u)" -eq 0 ] || skip "starting Slurm's daemons needs root"
    local program
    for program in slurmctld slurmd munged sbatch srun scontrol unshare; do
        command -v "$program" >/dev/null || skip "$program is not installed"
    done
    unshare --uts true 2>/dev/null || skip "this machine allows no namespaces of host names"
    grep -q ' /sys/fs/cgroup' /proc/mounts || skip "slurmd wants /sys/fs/cgroup to be mounted"
}

# slurm_up NODES CPUS: munged, slurmctld and NODES slurmd without systemd or cgroup control; returns when the nodes are idle.
slurm_up() {
    local nodes=$1 cpus=$2 port=${SLURM_PORT:-27817} host i list=
    host=$(hostname -s)
    rm -rf "$cluster_dir"
    mkdir -p "$cluster_dir"/{munge,state,log,spool,tmp}
    chmod 755 "$cluster_dir" && chmod 711 "$cluster_dir/munge"
    dd if=/dev/urandom of="$cluster_dir/munge/key" bs=128 count=1 status=none && chmod 400 "$cluster_dir/munge/key"
    {
        cat <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster_dir/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$cluster_dir/state
SlurmdSpoolDir=$cluster_dir/spool/%n
SlurmctldPidFile=$cluster_dir/slurmctld.pid
SlurmdPidFile=$cluster_dir/%n.pid
SlurmctldLogFile=$cluster_dir/log/slurmctld
SlurmdLogFile=$cluster_dir/log/%n
TmpFS=$cluster_dir/tmp/%n
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0,sched_interval=1,bf_interval=1
ReturnToService=2
KillWait=5
SlurmctldTimeout=10
SlurmdTimeout=10
MinJobAge=3600
SwitchType=switch/none
CONF
        for i in $(seq "$nodes"); do
            echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + i)) CPUs=$cpus State=UNKNOWN"
            list=$list,n$i
        done
        echo "PartitionName=test Nodes=${list#,} Default=YES MaxTime=60 DefaultTime=5 OverSubscribe=NO"
    } >"$SLURM_CONF"
    munged --force --key-file="$cluster_dir/munge/key" --socket="$cluster_dir/munge/socket" --pid-file="$cluster_dir/munged.pid" \
           --log-file="$cluster_dir/log/munged" --seed-file="$cluster_dir/munge/seed" --num-threads=2
    slurmctld -i
    for i in $(seq "$nodes"); do
        mkdir -p "$cluster_dir/tmp/n$i" "$cluster_dir/spool/n$i"
        # A host name of its own for each: else the shared-memory segments of two nodes' ranks collide.
        unshare --uts sh -c 'hostname "$1"; exec slurmd -N "$1"' sh "n$i"
    done
    for _ in $(seq 200); do
        [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c '^idle')" = "$nodes" ] && return 0
        sleep 0.1
    done
    echo "the nodes are not idle after 20 s" >&2
    sinfo -N >&2
    return 1
}

# slurm_down: end the daemons that slurm_up started, by their pid files.
slurm_down() {
    local file pid
    [ -n "$(squeue -h 2>/dev/null)" ] && scancel --quiet --user=root && sleep 0.5
    for file in "$cluster_dir"/slurmctld.pid "$cluster_dir"/n[0-9]*.pid "$cluster_dir"/munged.pid; do
        [ -f "$file" ] || continue
        pid=$(cat "$file")
        kill "$pid" 2>/dev/null
        for _ in $(seq 100); do
            case $(ps -o stat= -p "$pid" 2>/dev/null) in '' | Z*) break ;; esac
            sleep 0.05
        done
    done
}

# job_field ID NAME: a field of `scontrol show job`.
job_field() { scontrol -o show job "$1" 2>/dev/null | head -1 | tr ' ' '\n' | sed -n "s/^$2=//p" | head -1; }

# wait_for_state ID SECONDS STATE...: until the job is in one of the states; prints it.
wait_for_state() {
    local id=$1 seconds=$2 state wanted
    shift 2
    for _ in $(seq $((seconds * 10))); do
        state=$(job_field "$id" JobState)
        for wanted in "$@"; do
            [ "$state" = "$wanted" ] && echo "$state" && return 0
        done
        sleep 0.1
    done
    echo "job $id is still ${state:-gone} after $seconds s" >&2
    return 1
}

# fail TEXT: end the test as failed.
fail() {
    echo "FAILED: $1" >&2
    exit 1
}
