#!/usr/bin/env bash
# Plays a league of Hattari as arrays of Slurm, a unit a task. Partition, time limit, account: the variables that sbatch reads, as in
# SBATCH_PARTITION. The store's folder is one that all nodes see.
if [ "${1:-}" = --task ]; then
  # A task: a unit into a folder of the node's own, then in one move into the folder that all see.
  set -euo pipefail
  hattari=$2 league=$3 work=$4
  scratch=$(mktemp -d --tmpdir hattari-unit-XXXXXX)
  trap 'rm -rf "$scratch"' EXIT
  "$hattari" run "$league" --unit "$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$work/units")" --store "$scratch/part.sqlite" \
    --jobs 1 --json "${@:5}" || code=$?
  # What a unit kept before it failed counts too.
  [ -s "$scratch/part.sqlite" ] && [ ! -e "$scratch/part.sqlite-wal" ] || exit "${code:-2}"
  name=$work/${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
  cp "$scratch/part.sqlite" "$name.copy"
  mv "$name.copy" "$name.part"
  exit "${code:-0}"
fi
source "$(dirname "$0")/league.sh"

hand_out() {
  local job
  job=$(sbatch --parsable --job-name=hattari --cpus-per-task=1 --array="1-$count" --output="$work/%A_%a.log" \
    "$0" --task "$hattari" "$league" "$work" "${more[@]}" 2>>"$work/sbatch.log") || return 0
  echo "$job" >"$work/job"
  while [ "$back" -lt "$count" ] && [ -n "$(squeue --noheader --jobs "$job" 2>>"$work/sbatch.log")" ]; do
    merge
    sleep 2
  done
  merge
}

# Whoever ends this script ends its tasks too, unless by SIGKILL: then the next one does.
cancel() { [ ! -f "$work/job" ] || scancel "$(cat "$work/job")" 2>/dev/null || true; }

cancel
play_league
