-- @NAME@: raises when it is well ahead, calls when the price is right, else checks or folds.

-- What a league sets under `config` is in this table. So far there is nothing to set.
for key in config do error(`there is no setting '{key}'`, 0) end

local SAMPLES = 200 -- showdowns drawn for a win rate; more is more exact and slower
local RAISES_FROM = 0.65 -- raises from this share of the pot on, if two are left

local function find(legal: { Action }, kind: string): number?
  for i, action in ipairs(legal) do
    if action.kind == kind then return i end
  end
  return nil
end

-- How many others are still in.
local function opponents(view: View): number
  local count = -1
  for _, is_in in view.in_play do
    if is_in then count += 1 end
  end
  return count
end

-- Your turn. `view` is all that you may know, `legal` lists what you may do. The answer is a place in that list, from 1, and
-- for a raise the amount: what you will have put in on this street in all.
local function act(view: View, legal: { Action }): (number, number?)
  local others = opponents(view)
  local share = poker.win_rate(view.hand, view.community, others, SAMPLES, SAMPLES)
  local raise = find(legal, "raise")
  if raise and view.raises < 3 and share > RAISES_FROM * 2 / (others + 1) then
    local range = legal[raise]
    return raise, math.clamp(view.level + view.pot // 2, range.lowest, range.highest)
  end
  local check = find(legal, "check")
  if check then return check end
  -- A call costs `to_call` and wins the pot with it.
  if share * (view.pot + view.to_call) > view.to_call then
    return find(legal, "call") or 1
  end
  return find(legal, "fold") or 1
end

-- Tests: functions that raise an error where the bot is not as it should be. `hattari check` and `hattari watch` run them.
local tests = {}

local fold = { kind = "fold", lowest = 0, highest = 0 }
local call = { kind = "call", lowest = 900, highest = 900 }
local raise = { kind = "raise", lowest = 1800, highest = 10000 }

local function facing(hand: { Card }): View
  return {
    hand = hand, community = { "2c", "7d", "9h", "Qs", "3c" }, in_play = { true, true },
    pot = 1100, level = 900, to_call = 900, raises = 1,
  }
end

function tests.folds_nothing_to_a_big_bet()
  local answer = act(facing({ "4d", "5h" }), { fold, call, raise })
  assert(answer == 1, `answered {answer}`)
end

function tests.raises_three_queens_by_half_the_pot()
  local answer, amount = act(facing({ "Qd", "Qh" }), { fold, call, raise })
  assert(answer == 3 and amount == 1800, `answered {answer}, {amount}`)
end

return {
  bot = { version = "0.1.0", games = { "holdem" }, description = "Plays by its win rate and the odds" },
  act = act,
  tests = tests,
}
