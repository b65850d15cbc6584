-- @NAME@: plays its second weakest card where it can, and keeps the weakest for the end.

-- What a league sets under `config` is in this table. So far there is nothing to set.
for key in config do error(`there is no setting '{key}'`, 0) end

-- Your turn. `view` is all that you may know, `legal` lists what you may do; the answer is a place in that list, from 1. A
-- pass comes first, then cards from the weakest on. Cards are numbers written out: "7" is beaten by "8".
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

-- Tests: functions that raise an error where the bot is not as it should be. `hattari check` and `hattari watch` run them.
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
