-- @NAME@: plays its second weakest card if it can, and keeps the weakest for the end.

-- This table contains the settings of the league (`config`). The bot has no settings yet.
for key in config do error(`there is no setting '{key}'`, 0) end

-- Called on your turn. `view` contains all that your seat may know, `legal` the legal actions. Returns an index of `legal`,
-- from 1. A pass comes first, then cards from the weakest on. Cards are texts with numbers: "8" beats "7".
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

-- Tests: functions that raise an error if a check fails. `hattari check` and `hattari watch` run them.
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
