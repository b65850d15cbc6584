-- @NAME@: keeps its weakest card for the end, and plays the weakest of its other legal cards.
--
-- `hattari show rules @game@` prints the rules. types/@game@.d.luau describes views and actions.

-- The table `config` contains the settings that a league gives under `config`. This bot has no
-- settings, so it rejects all of them.
for key in config do error(`there is no setting '{key}'`, 0) end

-- Decides a turn: returns the index in `legal` of the action to play, from 1. `view` contains all
-- information that you have. The pass is first in `legal`; then come the cards, the weakest first.
-- Cards are numbers as text: "8" beats "7".
local function act(view: View, legal: { Action }): number
  local weakest = math.huge
  for _, card in view.hand do
    weakest = math.min(weakest, tonumber(card) :: number)
  end
  for i, action in ipairs(legal) do
    if action.kind == "play" and (tonumber(action.card) ~= weakest or #view.hand == 1) then return i end
  end
  return 1
end

-- Tests: functions that raise an error if the bot decides wrongly. `hattari check` and
-- `hattari watch` run them.
local tests = {}

local pass = { kind = "pass" }
local three = { kind = "play", card = "3" }
local nine = { kind = "play", card = "9" }

function tests.keeps_the_weakest_card()
  assert(act({ hand = { "3", "9" } }, { pass, three, nine }) == 3)
end

function tests.plays_its_last_card()
  assert(act({ hand = { "3" } }, { pass, three }) == 2)
end

return {
  bot = { version = "0.1.0", games = { "tanhinmin" }, description = "Keeps its weakest card for the end" },
  act = act,
  tests = tests,
}
