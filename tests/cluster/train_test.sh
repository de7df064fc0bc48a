#!/usr/bin/env bash
# jobs/slurm/train.sbatch on a real Slurm of two nodes: it fits; stopped by a signal it writes a checkpoint, has itself
# requeued, goes on, and ends with the same result as an undisturbed run. And array.sbatch: three runs, three directories.
# Usage: train_test.sh RONDO SOURCE_DIR WORK_DIR
set -u
rondo=$1 source=$2 work=$3
cluster_dir=$work/cluster
. "$source/tests/cluster/lib.sh"
need_slurm
trap slurm_down EXIT
rm -rf "$work" && mkdir -p "$work/run" && cd "$work/run" || exit 1
slurm_up 2 2 || fail "Slurm did not start"
export RONDO=$rondo RONDO_CACHE_DIR=$work/cache

same_parameters() { # FILE FILE
    cmp <(h5dump -d /parameters/values "$1" | tail -n +2) <(h5dump -d /parameters/values "$2" | tail -n +2)
}

# 1. Two nodes, four ranks, one job.
id=$(sbatch --parsable -N2 "$source/jobs/slurm/train.sbatch" "$source/jobs/theophylline.toml") || fail "sbatch refused the job"
wait_for_state "$id" 60 COMPLETED FAILED TIMEOUT CANCELLED >state || fail "no end: $(cat state)"
[ "$(cat state)" = COMPLETED ] || { cat "rondo-$id.log"; fail "the job ended as $(cat state)"; }
[ -f theophylline.run/result.h5 ] || fail "no result"

# 2. A long job, told to stop as by the time limit; it must come back by itself and end like one that was never stopped.
sed 's/^epochs = .*/epochs = 2500/; s/^step_tolerance.*//' "$source/jobs/seed_ensemble.toml" >long.toml
"$rondo" train long.toml --output undisturbed.run --quiet || fail "the undisturbed run failed"
id=$(RONDO_OUTPUT=stopped.run sbatch --parsable -N2 "$source/jobs/slurm/train.sbatch" long.toml --set checkpoint.every=200) || fail "sbatch refused the long job"
for _ in $(seq 300); do # until it is well under way
    ls stopped.run/checkpoint_*.h5 >/dev/null 2>&1 && break
    sleep 0.1
done
scancel --signal=USR1 "$id"
wait_for_state "$id" 30 PENDING REQUEUED COMPLETING COMPLETED >/dev/null || { cat "rondo-$id.log"; fail "no requeue"; }
scontrol update JobId="$id" StartTime=now 2>/dev/null
wait_for_state "$id" 120 COMPLETED FAILED TIMEOUT CANCELLED >state || { cat "rondo-$id.log"; fail "no end after the requeue"; }
[ "$(cat state)" = COMPLETED ] || { cat "rondo-$id.log"; fail "the requeued job ended as $(cat state)"; }
[ "$(job_field "$id" Restarts)" -ge 1 ] || fail "it was never requeued"
grep -q "going on from" "rondo-$id.log" || { cat "rondo-$id.log"; fail "it did not go on from a checkpoint"; }
same_parameters undisturbed.run/result.h5 stopped.run/result.h5 || fail "the stopped run ended elsewhere"

# 3. An array of three.
id=$(sbatch --parsable --array=1-3 "$source/jobs/slurm/array.sbatch" "$source/jobs/indomethacin.toml") || fail "sbatch refused the array"
for task in 1 2 3; do
    wait_for_state "${id}_$task" 60 COMPLETED FAILED TIMEOUT CANCELLED >state || fail "array task $task has no end"
    [ "$(cat state)" = COMPLETED ] || { cat rondo-"$id"_$task.log; fail "array task $task ended as $(cat state)"; }
    [ -f "indomethacin.$task.run/result.h5" ] || fail "array task $task left no result"
done
echo "passed"
