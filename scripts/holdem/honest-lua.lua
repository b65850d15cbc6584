-- The honest player of an article series on game programming: raises good hands, calls if the odds are sufficient, otherwise
-- checks or folds.
--
-- It makes the same decisions as the compiled bot `honest` with `all_samples: true`. Settings, all optional:
--   samples      number of showdowns sampled for a win rate, default 1000
--   all_samples  must be true if given: all samples are always drawn
--   exact_max    win rates with at most this number of showdowns are computed exactly, default 1000
--   seed         a different number gives different samples for the same cards, default 0

local RAISES_FROM = 1.5 -- minimum win rate for a raise, in even shares of the pot
local CALLS_FROM = 1.0 -- minimum product of odds and win rate for a call
local CALLS_PREFLOP_FROM = 0.66 -- the same before the flop
local RAISE_PARTS = 4 -- the size of a raise is the pot divided by this number

local known = { samples = true, all_samples = true, exact_max = true, seed = true }
for key in config do
  if not known[key] then error(`unknown setting '{key}'`, 0) end
end
local samples, exact_max = config.samples or 1000, config.exact_max or 1000
if samples < 1 then error("`samples` must be at least 1", 0) end
if config.all_samples == false then error("`all_samples` must be true", 0) end
poker.reseed(config.seed or 0)

-- Returns the indices of a fold, of a check or call, and of a raise in the list of legal actions.
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
