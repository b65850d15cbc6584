# The loop that the shell adapters share: plan, play the units, merge the results, plan again until
# no blocks remain. This file is sourced by an adapter, which defines two functions:
#
# - hand_out plays the $count units in $work/units. It writes finished stores to $work/*.part and
#   messages to $work/*.log, and calls `merge` whenever new stores may have arrived.
# - cancel stops the units that are still being played.
set -euo pipefail
shopt -s nullglob

tries=3 # Number of plans in a row without results after which the run ends.
hattari=${HATTARI:-hattari} units=32 store= league= reasons=

usage() {
  local more='[-- OPTIONS FOR cluster plan AND run]'
  echo "usage: ${0##*/} LEAGUE [--store FILE] [--units N] [--hattari PROGRAM] $more" >&2
  exit 2
}

while [ $# -gt 0 ] && [ "$1" != -- ]; do
  case $1 in
    --store | --units | --hattari) [ $# -gt 1 ] || usage; printf -v "${1#--}" %s "$2"; shift ;;
    -*) usage ;;
    *) [ -z "$league" ] || usage; league=$(realpath -m -- "$1") ;;
  esac
  shift
done
[ -n "$league" ] || usage
more=("${@:2}")
store=$(realpath -m -- "${store:-${league%.*}.sqlite}")
work=$store.work # This folder must be visible to all machines.

plan() { "$hattari" cluster plan "$league" --store "$store" "${more[@]}" "$@"; }

# Merges the given stores, and stores the league as its file defines it now.
into_store() { "$hattari" cluster merge "$store" "$@" --league "$league" "${more[@]}" >"$work/merged"; }

# Merges the stores of finished units and prints the progress of the league.
merge() {
  local parts=("$work"/*.part) part kept why told
  [ ${#parts[@]} -gt 0 ] || return 0
  local merged=${#parts[@]}
  if ! into_store "${parts[@]}" 2>/dev/null; then
    for part in "${parts[@]}"; do
      if why=$(into_store "$part" 2>&1); then continue; fi
      into_store # If this fails too, the part is kept: the fault is not in it.
      if why=$(into_store "$part" 2>&1); then continue; fi
      refused=$((refused + 1)) merged=$((merged - 1))
      kept=$work/$$-$refused.refused
      mv "$part" "$kept"
      told=${why//"$part"/} # Without the name of the part, the reasons of several parts may be equal.
      [[ $reasons == *"$told"* ]] || echo "${why//"$part"/$kept}" >&2
      reasons+=$told
    done
  fi
  rm -f "${parts[@]}" "$work"/*.part-{shm,wal}
  back=$((back + ${#parts[@]}))
  told="unit $back of $count"
  [ $count != 0 ] || told="merged $merged earlier units"
  echo "$told: $(plan | sed -n 1p)" >&2
}

play_league() {
  local plan now played=none idle=0
  count=0 back=0 refused=0
  mkdir -p "$work"
  exec 9>"$work/lock"
  if command -v flock >/dev/null && ! flock -n 9; then
    echo "another adapter plays this store" >&2
    exit 2
  fi
  cancel # Tasks of a run that was killed may still be playing.
  rm -f "$work"/*.log
  # Keep finished stores that could not be merged: the next run merges them. Keep refused ones.
  # Commands of the system fail with 1.
  trap 'code=$?; cancel; parts=("$work"/*.{part,refused}); [ ${#parts[@]} -gt 0 ] || rm -rf "$work" || true; exit $((code == 1 ? 2 : code))' EXIT
  trap 'exit 130' INT TERM
  merge # Merge the stores that an earlier run left.
  while plan=$(plan --units "$units" --json); do
    if [[ $plan != *'"unit":'* ]]; then
      into_store # The league of the store may be an earlier one, if no unit was played.
      plan=$("$hattari" store digest "$store")
      echo "$store: ${plan#* } blocks, digest ${plan% *}"
      return 0
    fi
    grep -o '"unit": *"[^"]*"' <<<"$plan" | cut -d'"' -f4 >"$work/units"
    now=$(grep -om1 '"played": *[0-9]*' <<<"$plan")
    [ "$now" = "$played" ] && idle=$((idle + 1)) || idle=0
    if [ $idle = $tries ]; then
      # Print at most 10 different messages. Lines of JSON are the output of units that were played.
      awk '!/^{/ && !seen[$0]++ && lines++ < 10' "$work"/*.log /dev/null >&2
      echo "$tries plans in a row returned no results; giving up" >&2
      return 2
    fi
    played=$now back=0 count=$(wc -l <"$work/units")
    hand_out
    if grep -hs "^error: stopped by a fault" "$work"/*.log >&2; then return 2; fi
  done
  return 2 # `plan` has printed the reason.
}
