-- The honest player of a serial on game making: raises good hands, calls when the odds are right, else checks or folds.
--
-- The compiled bot `honest` in Lua, decision for decision. Settings, all optional:
--   samples    showdowns drawn for a win rate, default 1000
--   exact_max  win rates of no more showdowns than this are counted, default 1000
--   seed       another number gives other samples for the same cards, default 0

local RAISES_FROM = 1.5 -- even shares of the pot from which it raises
local CALLS_FROM = 1.0 -- odds times win rate from which it calls
local CALLS_PREFLOP_FROM = 0.66 -- the same before the flop
local RAISE_PARTS = 4 -- it raises by one part of the pot of so many

local known = { samples = true, exact_max = true, seed = true }
for key in config do
  if not known[key] then error(`there is no setting '{key}'`, 0) end
end
local samples, exact_max = config.samples or 1000, config.exact_max or 1000
if samples < 1 then error("`samples` is at least 1", 0) end
poker.reseed(config.seed or 0)

-- Places of the actions in the list of legal ones, by kind; a check stands for a call of nothing.
local function places(legal)
  local fold, stay, raise
  for i, action in legal do
    if action.kind == "fold" then fold = i elseif action.kind == "raise" then raise = i else stay = i end
  end
  return fold, stay, raise
end

local function count(seats)
  local n = 0
  for _, is_in in seats do
    if is_in then n += 1 end
  end
  return n
end

local function act(view, legal)
  local fold, stay, raise = places(legal)
  local n = count(view.in_play)
  local w = poker.win_rate(view.hand, view.community, n - 1, samples, exact_max)
  if raise and w >= RAISES_FROM / n then
    local range = legal[raise]
    local by = math.min(range.highest - view.level, math.max(view.big_blind, view.pot // RAISE_PARTS))
    return raise, math.clamp(view.level + by, range.lowest, range.highest)
  end
  if view.to_call == 0 then return stay end
  local odds = (view.pot + view.to_call) / view.to_call
  local from = if view.street == "preflop" then CALLS_PREFLOP_FROM else CALLS_FROM
  if w * odds >= from then return stay end
  return fold or stay
end

return { act = act }
