#!/usr/bin/env bash
# Plays a league of Hattari with GNU parallel, a unit on each core. More machines, other numbers of jobs: options of parallel, in PARALLEL.
source "$(dirname "$0")/league.sh"

hand_out() {
  local line part
  # A unit that was played says so in a line of JSON, which names its store; one whose process was killed says nothing.
  exec 3< <(exec parallel --quote "$hattari" run "$league" --unit {} --store "$work/$$-{#}.sqlite" --jobs 1 --json "${more[@]}" \
    <"$work/units" 2>>"$work/parallel.log")
  parallel=$!
  while read -r line <&3; do
    part=$(sed 's/.*"store":"\([^"]*\)".*/\1/' <<<"$line")
    mv "$part" "${part%.sqlite}.part"
    merge
  done
  # What a unit kept before it failed counts too. Where its process was killed there is a log beside it, and it is played again.
  for part in "$work/$$-"*.sqlite; do
    if [ -s "$part" ] && [ ! -e "$part-wal" ]; then mv "$part" "${part%.sqlite}.part"; fi
  done
  merge
  rm -f "$work/$$-"*.sqlite*
}

# When it is asked for the first time, parallel waits for what is being played.
cancel() { if [ -n "${parallel:-}" ]; then kill "$parallel" 2>/dev/null && kill "$parallel" 2>/dev/null || true; fi; }

play_league
