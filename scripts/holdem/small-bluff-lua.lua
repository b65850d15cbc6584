-- The small-bluff player of an article series on game programming: chooses randomly by its win rate, so that its hand is harder
-- to infer.
--
-- It makes the same decisions as the compiled bot `small-bluff` with `all_samples: true`. Settings, all optional:
--   samples      number of showdowns sampled for a win rate, default 1000
--   all_samples  must be true if given: all samples are always drawn
--   exact_max    win rates with at most this number of showdowns are computed exactly, default 1000
--   seed         a different number gives different samples and choices for the same cards, default 0
--   bluff        probability of a raise with a hand that always folds according to the table, default 0

local RAISE_PARTS = 5 -- the size of a raise is the pot divided by this number

local known = { samples = true, all_samples = true, exact_max = true, seed = true, bluff = true }
for key in config do
  if not known[key] then error(`unknown setting '{key}'`, 0) end
end
local samples, exact_max, bluff = config.samples or 1000, config.exact_max or 1000, config.bluff or 0
if samples < 1 then error("`samples` must be at least 1", 0) end
if config.all_samples == false then error("`all_samples` must be true", 0) end
if bluff < 0 or bluff > 1 then error("`bluff` must be a probability from 0 to 1", 0) end
poker.reseed(config.seed or 0)

-- Returns the probabilities of a raise, of a check or call, and of a fold in the table of the article series. `x` is the win
-- rate in even shares.
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
    -- If no raise is possible, it calls instead.
    raise, stay = 0, stay + raise
  elseif fold >= 1 then
    raise, fold = bluff, 1 - bluff
  end
  if view.to_call == 0 then
    -- If a check is free, it does not fold.
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
