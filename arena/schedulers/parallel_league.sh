#!/usr/bin/env bash
# Plays a league of Hattari with GNU parallel, one unit per core. Set options of parallel in the
# variable PARALLEL, for example the number of jobs or a list of machines.
source "$(dirname "$0")/league.sh"

hand_out() {
  local line part
  # Every unit that was played prints a line of JSON with the path of its store. A unit whose
  # process was killed prints nothing.
  exec 3< <(exec parallel --quote -I ,unit, "$hattari" run "$league" --unit ,unit, --store "$work/$$-{#}.sqlite" --jobs 1 --json "${more[@]}" \
    <"$work/units" 2>>"$work/parallel.log" 9>&-)
  parallel=$!
  while read -r line <&3; do
    part=$work/$(sed 's/.*\/\([0-9]*-[0-9]*\.sqlite\)".*/\1/' <<<"$line")
    mv "$part" "${part%.sqlite}.part"
    merge
  done
  # The stores of failed units are merged too: they contain blocks that were finished before the
  # failure. If the process of a unit was killed, a file `-wal` exists next to its store. Such a
  # store is discarded, and the unit is played again.
  for part in "$work/$$-"*.sqlite; do
    if [ -s "$part" ] && [ ! -e "$part-wal" ]; then mv "$part" "${part%.sqlite}.part"; fi
  done
  merge
  rm -f "$work/$$-"*.sqlite*
}

# The first signal makes parallel wait for its running jobs; the second one stops them.
cancel() { if [ -n "${parallel:-}" ]; then kill "$parallel" 2>/dev/null && kill "$parallel" 2>/dev/null || true; fi; }

play_league
