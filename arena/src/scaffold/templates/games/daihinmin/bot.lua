-- @NAME@: plays its weakest cards first, and as many of them as it can.
--
-- `hattari show rules @game@` prints the rules. types/@game@.d.luau describes views and actions.

-- The table `config` contains the settings that a league gives under `config`. This bot has no
-- settings, so it rejects all of them.
for key in config do error(`there is no setting '{key}'`, 0) end

-- Returns the cost of a play. The bot makes the legal play with the lowest cost.
local function cost(action: Action, reversed: boolean): number
  if action.kind == "pass" then
    return 1000 -- Pass only if nothing else is legal.
  elseif action.joker then
    return 500 -- Play the joker only if no other cards are legal.
  end
  -- Ranks go from 3 to 15; 15 is the two. A revolution reverses their order.
  local strength = if reversed then 18 - action.rank else action.rank
  return 20 * strength - action.count
end

-- Decides a turn: returns the index in `legal` of the action to play, from 1. `view` contains all
-- information that you have.
local function act(view: View, legal: { Action }): number
  local reversed = view.revolution ~= view.eleven_back
  local best = 1
  for i, action in ipairs(legal) do
    if cost(action, reversed) < cost(legal[best], reversed) then best = i end
  end
  return best
end

-- Gives cards away in the exchange before a game: returns an index in `legal`, from 1. The
-- strongest cards are first in the list, the weakest are last.
local function exchange(view: View, legal: { Action }): number
  return #legal
end

-- Tests: functions that raise an error if the bot decides wrongly. `hattari check` and
-- `hattari watch` run them.
local tests = {}

local pass = { kind = "pass", cards = {}, count = 0 }
local five = { kind = "single", cards = { "H5" }, count = 1, rank = 5 }
local ace = { kind = "single", cards = { "SA" }, count = 1, rank = 14 }
local fives = { kind = "group", cards = { "H5", "C5" }, count = 2, rank = 5 }

function tests.plays_the_weakest_card()
  assert(act({ revolution = false, eleven_back = false }, { pass, ace, five }) == 3)
end

function tests.plays_the_ace_first_in_a_revolution()
  assert(act({ revolution = true, eleven_back = false }, { pass, ace, five }) == 2)
end

function tests.sheds_two_cards_rather_than_one()
  assert(act({ revolution = false, eleven_back = false }, { five, fives }) == 2)
end

return {
  bot = { version = "0.1.0", games = { "daihinmin" }, description = "Plays its weakest cards first" },
  act = act,
  exchange = exchange,
  tests = tests,
}
