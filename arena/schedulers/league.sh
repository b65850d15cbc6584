# What the adapters in shell share: plan, hand the units out, merge what comes back, plan again until nothing is open. The adapter has a
# function `hand_out`, which plays the $count units in $work/units, leaves the finished stores there as *.part, what goes wrong in *.log, and
# calls `merge` when some may have come back; and `cancel`, which ends what is still being played.
set -euo pipefail
shopt -s nullglob

tries=3 # So many plans in a row that brought nothing end the run.
hattari=${HATTARI:-hattari} units=32 store= league=

usage() {
  echo "usage: ${0##*/} LEAGUE [--store FILE] [--units N] [--hattari PROGRAM] [-- MORE FOR cluster plan AND run]" >&2
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
work=$store.work # All machines see it.

plan() { "$hattari" cluster plan "$league" --store "$store" "${more[@]}" "$@"; }

# Merges what has come back, and says how far the league is.
merge() {
  local parts=("$work"/*.part)
  [ ${#parts[@]} -gt 0 ] || return 0
  "$hattari" cluster merge "$store" "${parts[@]}" >"$work/merged"
  rm -f "${parts[@]}" "$work"/*.part-{shm,wal}
  back=$((back + ${#parts[@]}))
  echo "unit $back of $count: $(plan | sed -n 1p)" >&2
}

play_league() {
  local plan now played=none idle=0
  count=0 back=0
  mkdir -p "$work"
  trap 'cancel; rm -rf "$work"' EXIT
  trap 'exit 130' INT TERM
  merge # What an earlier run that was killed left behind.
  while plan=$(plan --units "$units" --json); do
    now=$(grep -om1 '"played": *[0-9]*' <<<"$plan")
    if ! grep -o '"unit": *"[^"]*"' <<<"$plan" | cut -d'"' -f4 >"$work/units"; then
      plan=$("$hattari" store digest "$store")
      echo "$store: ${plan#* } blocks, digest ${plan% *}"
      return 0
    fi
    [ "$now" = "$played" ] && idle=$((idle + 1)) || idle=0
    if [ $idle = $tries ]; then
      # The lines of JSON are of what was played; all units may have failed by the same words, or each by words of its own.
      awk '!/^{/ && !told[$0]++ && lines++ < 10' "$work"/*.log /dev/null >&2
      echo "$tries plans in a row brought nothing: given up" >&2
      return 2
    fi
    played=$now back=0 count=$(wc -l <"$work/units")
    hand_out
    if grep -hs "^error: stopped by a fault" "$work"/*.log >&2; then return 2; fi
  done
  return 2 # It has said why.
}
