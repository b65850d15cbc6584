-- The small-bluff player of a serial on game making: draws what it does by its win rate, so that its hand is harder to read.
--
-- The compiled bot `small-bluff` in Lua, decision for decision where that draws all samples. Settings, all optional:
--   samples      showdowns drawn for a win rate, default 1000
--   all_samples  true, and nothing else: all of them are drawn, whatever they say
--   exact_max    win rates of no more showdowns than this are counted, default 1000
--   seed         another number gives other samples and draws for the same cards, default 0
--   bluff        chance of a raise with a hand for which the table only folds, default 0

local RAISE_PARTS = 5 -- it raises by one part of the pot of so many

local known = { samples = true, all_samples = true, exact_max = true, seed = true, bluff = true }
for key in config do
  if not known[key] then error(`there is no setting '{key}'`, 0) end
end
local samples, exact_max, bluff = config.samples or 1000, config.exact_max or 1000, config.bluff or 0
if samples < 1 then error("`samples` is at least 1", 0) end
if config.all_samples == false then error("`all_samples` is true here", 0) end
if bluff < 0 or bluff > 1 then error("`bluff` is a chance, 0 to 1", 0) end
poker.reseed(config.seed or 0)

-- Chances of raising, staying in and folding with a win rate of `x` even shares: the serial's table.
local function chances(x)
  local raise = 0
  if x >= 1.5 then
    raise = 0.9
  elseif x >= 1 then
    raise = 0.2 + 0.7 * (x - 1) / 0.5
  elseif x >= 0.5 then
    raise = 0.2 * (x - 0.5) / 0.5
  end
  local fold = if x >= 1 then 0 else math.clamp(1 - (x - 0.5) / 0.5, 0, 1)
  return raise, 1 - raise - fold, fold
end

local function act(view, legal)
  local fold_at, stay_at, raise_at
  for i, action in legal do
    if action.kind == "fold" then fold_at = i elseif action.kind == "raise" then raise_at = i else stay_at = i end
  end
  local n = 0
  for _, is_in in view.in_play do
    if is_in then n += 1 end
  end
  local drawn = poker.unit()
  local w = poker.win_rate(view.hand, view.community, n - 1, samples, exact_max)
  local raise, stay, fold = chances(w * n)
  if not raise_at then
    -- Where it may not raise it calls instead.
    raise, stay = 0, stay + raise
  elseif fold >= 1 then
    raise, fold = bluff, 1 - bluff
  end
  if view.to_call == 0 then
    -- A free check is never a fold.
    stay, fold = stay + fold, 0
  end
  if drawn < raise then
    local range = legal[raise_at]
    local by = math.min(range.highest - view.level, math.max(view.big_blind, view.pot // RAISE_PARTS))
    return raise_at, math.clamp(view.level + by, range.lowest, range.highest)
  end
  if fold <= 0 or drawn < raise + stay then return stay_at end
  return fold_at or stay_at
end

return { act = act }
