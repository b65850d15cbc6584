-- @NAME@: bets with a pair or better, pays little for less. It plays ordinary stud and the game of seven turns.

-- What a league sets under `config` is in this table. So far there is nothing to set.
for key in config do error(`there is no setting '{key}'`, 0) end

-- How many cards of the same rank there are: 1 is nothing, 2 a pair, 3 three of a kind …
local function most_alike(hand: { Card }): number
  local counts, most = {}, 1
  for _, card in hand do
    local rank = cards.rank[card]
    counts[rank] = (counts[rank] or 0) + 1
    most = math.max(most, counts[rank])
  end
  return most
end

local function find(legal: { Action }, kind: string): number?
  for i, action in ipairs(legal) do
    if action.kind == kind then return i end
  end
  return nil
end

-- Your turn to bet. `view` is all that you may know, `legal` lists what you may do. The answer is a place in that list, from
-- 1, and for a raise the amount: what you will have put in on this street in all.
local function act(view: View, legal: { Action }): (number, number?)
  local alike = most_alike(view.hand)
  local raise = find(legal, "raise")
  local stay = find(legal, "check") or find(legal, "call") or find(legal, "bring_in")
  if raise and (not stay or (alike > 1 and view.raises < 2)) then
    return raise, legal[raise].lowest
  elseif alike == 1 and view.to_call * 4 > view.pot then
    return find(legal, "fold") or stay or 1
  end
  return stay or 1
end

-- The game of seven turns: you have to turn up a hidden card. They are listed from the lowest on, and that one tells least.
local function open(view: View, legal: { Action }): number
  return 1
end

-- Tests: functions that raise an error where the bot is not as it should be. `hattari check` and `hattari watch` run them.
local tests = {}

local fold = { kind = "fold", lowest = 0, highest = 0 }
local call = { kind = "call", lowest = 20, highest = 20 }
local raise = { kind = "raise", lowest = 40, highest = 40 }

function tests.bets_a_pair()
  local view = { hand = { "9c", "9h", "Kd" }, to_call = 20, pot = 60, raises = 0 }
  local answer, amount = act(view, { fold, call, raise })
  assert(answer == 3 and amount == 40, `answered {answer}, {amount}`)
end

function tests.pays_little_for_nothing()
  local view = { hand = { "2c", "9h", "Kd" }, to_call = 20, pot = 60, raises = 0 }
  assert(act(view, { fold, call, raise }) == 1)
  view.pot = 100
  assert(act(view, { fold, call, raise }) == 2)
end

return {
  bot = { version = "0.1.0", games = { "stud" }, description = "Bets with a pair or better" },
  act = act,
  open = open,
  tests = tests,
}
