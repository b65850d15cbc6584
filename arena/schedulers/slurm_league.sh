#!/usr/bin/env bash
# Plays a league of Hattari as Slurm job arrays, one task per unit. Set the partition, the time
# limit and the account in the variables that sbatch reads, for example SBATCH_PARTITION. The folder
# of the store must be visible to all nodes.
if [ "${1:-}" = --task ]; then
  # This is a task. It plays its unit in a local folder of the node, copies the store to the shared
  # folder, and then renames it, so that `merge` never reads an incomplete file.
  set -euo pipefail
  hattari=$2 league=$3 work=$4
  scratch=$(mktemp -d --tmpdir hattari-unit-XXXXXX)
  trap 'rm -rf "$scratch"' EXIT
  "$hattari" run "$league" --unit "$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$work/units")" --store "$scratch/part.sqlite" \
    --jobs 1 --json "${@:5}" || code=$?
  # A failed unit may have finished some blocks; its store is merged too.
  [ -s "$scratch/part.sqlite" ] && [ ! -e "$scratch/part.sqlite-wal" ] || exit "${code:-2}"
  name=$work/${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
  cp "$scratch/part.sqlite" "$name.copy"
  mv "$name.copy" "$name.part"
  exit "${code:-0}"
fi
source "$(dirname "$0")/league.sh"

hand_out() {
  local job
  cancel # If squeue failed, tasks of the last plan may still be playing.
  job=$(sbatch --parsable --job-name=hattari --cpus-per-task=1 --array="1-$count" --output="${work//%/%%}/%A_%a.log" \
    "$0" --task "$hattari" "$league" "$work" "${more[@]}" 2>>"$work/sbatch.log") || return 0
  echo "$job" >"$work/job"
  while [ "$back" -lt "$count" ] && [ -n "$(squeue --noheader --jobs "$job" 2>>"$work/sbatch.log")" ]; do
    merge
    sleep 2 9>&-
  done
  merge
}

# The tasks are cancelled when this script ends. After SIGKILL, the next run of the script cancels
# them.
cancel() { [ ! -f "$work/job" ] || scancel "$(cat "$work/job")" 2>/dev/null || true; }

play_league
