-- @NAME@: raises if its hand makes a pair, calls small bets, otherwise checks or folds.
--
-- `hattari show rules @game@` prints the rules. types/@game@.d.luau describes views and actions.

-- The table `config` contains the settings that a league gives under `config`. This bot has no
-- settings, so it rejects all of them.
for key in config do error(`there is no setting '{key}'`, 0) end

local function find(legal: { Action }, kind: string): number?
  for i, action in ipairs(legal) do
    if action.kind == kind then return i end
  end
  return nil
end

-- Returns true if two of the cards have the same rank.
local function has_pair(hand: { Card }): boolean
  local seen = {}
  for _, card in hand do
    local rank = cards.rank[card]
    if seen[rank] then return true end
    seen[rank] = true
  end
  return false
end

-- Returns true if the hand makes a pair that is not on the board. `poker.win_rate` is a better
-- measure of a hand, but it takes longer.
local function is_paired(view: View): boolean
  local all = table.clone(view.community)
  for _, card in view.hand do
    table.insert(all, card)
  end
  return has_pair(all) and not has_pair(view.community)
end

-- Decides a turn: returns the index in `legal` of the action to play, from 1, and for a raise the
-- amount: your total bet on this street. `view` contains all information that you have.
local function act(view: View, legal: { Action }): (number, number?)
  local paired = is_paired(view)
  local raise = find(legal, "raise")
  if raise and paired and view.raises < 2 then
    local range = legal[raise]
    return raise, math.clamp(view.level + view.pot // 2, range.lowest, range.highest)
  end
  local check = find(legal, "check")
  if check then return check end
  -- Without a pair, call at most a quarter of the pot.
  if paired or view.to_call * 4 <= view.pot then
    return find(legal, "call") or 1
  end
  return find(legal, "fold") or 1
end

-- Tests: functions that raise an error if the bot decides wrongly. `hattari check` and
-- `hattari watch` run them.
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
  bot = { version = "0.1.0", games = { "holdem" }, description = "Raises with a pair, otherwise calls only small bets" },
  act = act,
  tests = tests,
}
