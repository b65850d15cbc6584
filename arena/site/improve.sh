#!/usr/bin/env bash
# Prints the numbers of improve.md: arena/site/improve.sh [PROGRAM]. Works in a temporary folder.
set -euo pipefail
hattari=$(realpath "${1:-target/release/hattari}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

"$hattari" new lua daihinmin mine >/dev/null
echo "== 1. The bot loses"
"$hattari" run mine/league.yaml --quiet | grep 'base.*mine'
echo "== 2. Where it loses"
"$hattari" review mine/league.yaml --of mine --by base --deals 3000 --forks 2 --prove 3

cp mine/mine.lua before.lua
python3 - <<'REPAIR'
path = "mine/mine.lua"
text = open(path).read()
functions = """-- The number of cards still out that beat a rank.
local function beaten_by(view: View, rank: number, reversed: boolean): number
  local seen = {}
  for _, card in view.gone do seen[card] = true end
  for _, card in view.hand do seen[card] = true end
  local count = 0
  for _, card in cards.all do
    local other = cards.rank[card]
    local beats = card == "JK" or (if reversed then other < rank else other > rank)
    if not seen[card] and beats then count += 1 end
  end
  return count
end

-- With two cards left: the single that no card still out can beat.
local function last_but_one(view: View, legal: { Action }, reversed: boolean): number?
  for i, action in ipairs(legal) do
    if action.kind == "single" and not action.joker and beaten_by(view, action.rank, reversed) == 0 then
      return i
    end
  end
  return nil
end

"""
call = """  if view.hand and #view.hand == 2 then
    local first = last_but_one(view, legal, reversed)
    if first then return first end
  end
"""
text = text.replace("local function act(", "\0local function act(", 1)
start = text.rindex("\n\n", 0, text.index("\0")) + 2
text = text[:start] + functions + text[start:].replace("\0", "", 1)
text = text.replace("  local best = 1\n", call + "  local best = 1\n", 1)
open(path, "w").write(text)
league = open("mine/league.yaml").read()
entrants = "  - {name: before, bot: ../before.lua}\n  - {name: after, bot: mine.lua}\n"
league = league.replace("  - {name: mine, bot: mine.lua}\n", entrants, 1).replace("  - random\n", "", 1)
open("mine/both.yaml", "w").write(league)
REPAIR
echo "== 4. The repair"
"$hattari" check mine/mine.lua | tail -1
echo "== 5. The new verdict"
"$hattari" review mine/both.yaml --of before --by after --deals 3000 --forks 0 | head -1
rm -f mine/league.sqlite*
"$hattari" run mine/league.yaml --quiet | grep 'base.*mine'
