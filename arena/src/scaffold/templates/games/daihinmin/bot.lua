-- @NAME@: plays its weakest cards first, and as many of them as it can.

-- This table contains the settings of the league (`config`). The bot has no settings yet.
for key in config do error(`there is no setting '{key}'`, 0) end

-- Returns the cost of a play; the bot makes the cheapest legal play.
local function cost(action: Action, reversed: boolean): number
  if action.kind == "pass" then
    return 1000 -- Only if nothing else is legal.
  elseif action.joker then
    return 500 -- The joker after everything else.
  end
  -- Ranks go from 3 to 15, which is the two; a revolution reverses the order.
  local strength = if reversed then 18 - action.rank else action.rank
  return 20 * strength - action.count
end

-- Called on your turn. `view` contains all that your seat may know, `legal` the legal actions. Returns an index of `legal`, from 1.
local function act(view: View, legal: { Action }): number
  local reversed = view.revolution ~= view.eleven_back
  local best = 1
  for i, action in ipairs(legal) do
    if cost(action, reversed) < cost(legal[best], reversed) then best = i end
  end
  return best
end

-- Called when you give cards away. The sets are listed from the strongest to the weakest.
local function exchange(view: View, legal: { Action }): number
  return #legal
end

-- Tests: functions that raise an error if a check fails. `hattari check` and `hattari watch` run them.
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
