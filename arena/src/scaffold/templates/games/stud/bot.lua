-- @NAME@: bets with a pair or better, otherwise pays only little. It plays fixed-limit stud and stud in seven turns.

-- This table contains the settings of the league (`config`). The bot has no settings yet.
for key in config do error(`there is no setting '{key}'`, 0) end

-- Returns the largest number of cards of the same rank: 1 is nothing, 2 a pair, 3 three of a kind …
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

-- Called on your turn to bet. `view` contains all that your seat may know, `legal` the legal actions. Returns an index of
-- `legal`, from 1, and for a raise the amount: your total bet on this street.
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

-- Called in stud in seven turns when you must turn up a hidden card. Cards are listed from the lowest, which reveals least.
local function open(view: View, legal: { Action }): number
  return 1
end

-- Tests: functions that raise an error if a check fails. `hattari check` and `hattari watch` run them.
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
