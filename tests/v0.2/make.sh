#!/usr/bin/env bash
# Writes stores with a program, and prints the number of blocks and the digest of each store.
#
# usage: make.sh PROGRAM FOLDER [OTHER]; PROGRAM is an absolute path. The stores are written to the
# new folder stores/FOLDER. Stores that already exist in stores/OTHER are skipped.
set -euo pipefail
program=$1
into=$PWD/stores/$2
others=$PWD/stores/${3:-none}
mkdir "$into"
# The stores contain the path of this folder, so it is always the same.
rm -rf /tmp/corpus-of-leagues
mkdir /tmp/corpus-of-leagues
cp -r bots stores/*.yaml /tmp/corpus-of-leagues
cd /tmp/corpus-of-leagues
run() { "$program" run "$1.yaml" --json --jobs 1 "${@:2}" >/dev/null; }

# Plays with two versions of a bot; the second one is the current version.
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
  # A store that is not open has no write-ahead log.
  [ ! -e "$store-wal" ] && gzip -9n <"$store" >"$into/$store.gz"
done
