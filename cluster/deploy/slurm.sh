#!/bin/bash
# A tournament on several machines of a Slurm cluster: sbatch cluster/deploy/slurm.sh
#
# One task per machine: the first machine has the head, which plays nothing, and the driver; every machine plays with the
# CPUs that Slurm gives it. Only the driver writes, to the folder named below. When the time is over Slurm sends SIGTERM two
# minutes before the end: the driver writes down what is played and the job puts itself back in the queue, to go on there.

#SBATCH --job-name=tag
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --mem-per-cpu=1G
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append

set -euo pipefail

# The environment with TAG, on a file system that all machines see, or the same path on each.
source "$HOME/tag/.venv/bin/activate"

# A cluster of its own for each job: a token that nobody else has, and a port that another job on this machine has not.
umask 077
token_folder=$(mktemp -d "$HOME/.tag-job-$SLURM_JOB_ID.XXXXXX")
export RAY_AUTH_TOKEN_PATH="$token_folder/token"
port=$((20000 + SLURM_JOB_ID % 10000))
address=$(hostname -I | cut -d' ' -f1)

cleanup() {
    kill "${steps[@]}" 2>/dev/null || true
    wait "${steps[@]}" 2>/dev/null || true
    rm -rf "$token_folder"
}
steps=()
trap cleanup EXIT

tag cluster start --listen "$address" --port "$port" --cpus 0 --block &
steps+=($!)
until tag cluster status "$address:$port" --json >/dev/null 2>&1; do
    kill -0 "${steps[0]}" # the head has ended where this fails
    sleep 2
done

# A node needs no more of its machine than the task does. On the first machine it is beside the head.
srun --overlap --kill-on-bad-exit=0 tag cluster join "$address:$port" --cpus "$SLURM_CPUS_PER_TASK" --block &
steps+=($!)

tag tournament love_letter --players 4 --agent random --agent osla --agent rmhc --agent rhea --agent mcts \
    --blocks 5000 --seed 1 --out "$SLURM_SUBMIT_DIR/runs/slurm" --no-tracking --quiet \
    --address "$address:$port" --workers $((SLURM_JOB_NUM_NODES * SLURM_CPUS_PER_TASK)) &
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
    scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
