#!/usr/bin/env bash
# Continues stores of layout 5 with a program that writes a later layout.
#
# usage: continue.sh PROGRAM; PROGRAM is an absolute path. The stores are written to the new folder
# stores/layout-5-continued.
set -euo pipefail
program=$1
from=$PWD/stores/layout-5
into=$PWD/stores/layout-5-continued
mkdir "$into"
rm -rf /tmp/corpus-of-leagues
mkdir /tmp/corpus-of-leagues
cp -r bots stores/*.yaml /tmp/corpus-of-leagues
cd /tmp/corpus-of-leagues
take() {
  gunzip <"$from/$1.sqlite.gz" >"$2.sqlite"
  "$program" run "$2.yaml" --json --jobs 1 "${@:3}" >/dev/null
  echo "for $2 $("$program" records "$2.sqlite" --digest | awk '{print $2, $1}')"
  gzip -9n <"$2.sqlite" >"$into/$2.sqlite.gz"
}

# Plays the second half of the blocks.
take partial line-ups
# Plays two more blocks.
take faults faults --blocks 5
# Plays with a third version of the bot.
cp bots/chance.lua bots/changing.lua
take versions versions
