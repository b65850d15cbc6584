-- @NAME@: bets with a pair or better, and otherwise calls only small bets. It plays ordinary stud
-- and stud with seven turns.
--
-- `hattari show rules @game@` prints the rules. types/@game@.d.luau describes views and actions.

-- The table `config` contains the settings that a league gives under `config`. This bot has no
-- settings, so it rejects all of them.
for key in config do error(`there is no setting '{key}'`, 0) end

-- Returns the largest number of cards of one rank: 1 without a pair, 2 for a pair, 3 for three of a
-- kind, 4 for four of a kind.
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

-- Decides a turn: returns the index in `legal` of the action to play, from 1, and for a raise the
-- amount: your total bet on this street. `view` contains all information that you have.
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

-- Turns up a hidden card (only in stud with seven turns): returns an index in `legal`, from 1. The
-- lowest card is first in the list; it tells the opponents least about your hand.
local function open(view: View, legal: { Action }): number
  return 1
end

-- Tests: functions that raise an error if the bot decides wrongly. `hattari check` and
-- `hattari watch` run them.
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
