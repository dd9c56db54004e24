#!/bin/bash
# A tournament in parts, on machines of a Slurm cluster that need not reach one another: bash cluster/deploy/slurm_parts.sh
#
# On the login node, the script submits itself twice: as a job array whose tasks play a part each, and as a job that merges
# the parts once all are complete. Two minutes before the end of its time, Slurm sends SIGTERM: the task writes down what is
# played and goes back into the queue, to go on there. A task that has failed is played again by
# sbatch --array=3 cluster/deploy/slurm_parts.sh and the parts are merged by the last line of this script, by hand.

#SBATCH --job-name=tag-part
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=16
#SBATCH --mem-per-cpu=1G
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append

set -euo pipefail

# What all parts have in common, the seed above all. The number of parts must stay the same; that of CPUs may change.
parts=8
tournament=(love_letter --players 4 --agent random --agent osla --agent rmhc --agent rhea --agent mcts
    --blocks 5000 --seed 1)
runs="${SLURM_SUBMIT_DIR:-$PWD}/runs/slurm"

if [ -z "${SLURM_JOB_ID:-}" ]; then # on the login node
    array=$(sbatch --parsable --array="1-$parts" "$0")
    sbatch --job-name=tag-merge --dependency="afterok:${array%%;*}" --cpus-per-task=1 --time=00:30:00 "$0"
    exit
fi

# The environment with TAG, on a file system that all machines see, or the same path on each.
source "$HOME/tag/.venv/bin/activate"

if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
    tag tournament "${tournament[@]}" --part "$SLURM_ARRAY_TASK_ID/$parts" --out "$runs/part$SLURM_ARRAY_TASK_ID" \
        --no-tracking --quiet --workers "$SLURM_CPUS_PER_TASK" &
    driver=$!
    asked=
    trap 'asked=yes; kill -TERM "$driver"' TERM
    code=0
    wait "$driver" || code=$?
    if [ -n "$asked" ]; then # the signal interrupted the waiting, and the driver is still writing, or has ended since
        code=0
        wait "$driver" || code=$?
    fi
    if [ "$code" -eq 130 ]; then # stopped before it was complete
        scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
    fi
    exit "$code"
fi

tag merge "$runs"/part* --out "$runs/whole" --no-tracking
