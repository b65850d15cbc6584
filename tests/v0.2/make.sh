#!/usr/bin/env bash
# Makes stores as the program $1 (an absolute path) writes them, into the new folder stores/$2, and prints blocks and digests of each.
# Those that are in the folder stores/$3 already are left out.
set -euo pipefail
program=$1
into=$PWD/stores/$2
others=$PWD/stores/${3:-none}
mkdir "$into"
# The path of this folder stands in the stores.
rm -rf /tmp/corpus-of-leagues
mkdir /tmp/corpus-of-leagues
cp -r bots stores/*.yaml /tmp/corpus-of-leagues
cd /tmp/corpus-of-leagues
run() { "$program" run "$1.yaml" --json --jobs 1 "${@:2}" >/dev/null; }

# Of a bot's two versions the present one is the second.
cp bots/first.lua bots/changing.lua
run versions
cp bots/middle.lua bots/changing.lua
for league in *.yaml; do
  run "${league%.yaml}" 2>/dev/null || echo "this program does not play $league"
done

run line-ups --blocks 1 --store partial.sqlite
run line-ups --shard 1/2 --store shard-1.sqlite
run line-ups --shard 2/2 --store shard-2.sqlite
"$program" merge merged.sqlite shard-1.sqlite shard-2.sqlite >/dev/null
run line-ups --unit 0-2 --store unit.sqlite
if "$program" store --help >/dev/null 2>&1; then
  cp versions.sqlite pruned.sqlite
  "$program" store pruned.sqlite --prune >/dev/null 2>&1
fi
for store in *.sqlite; do
  [ ! -e "$others/$store.gz" ] || continue
  echo "for ${store%.sqlite} $("$program" records "$store" --digest | awk '{print $2, $1}')"
  # Nothing is left in the log of a store that nobody has open.
  [ ! -e "$store-wal" ] && gzip -9n <"$store" >"$into/$store.gz"
done
