-- Takes an action at a fixed part of the list, and counts what it is called for.
local asked = 0
return {
  bot = { name = "middle", version = "1.2.0", description = "Takes the action at `part` of the list" },
  block_start = function(info) assert(info.players >= 2 and info.deals > 0) end,
  deal_start = function(view) assert(view.hand == nil or #view.hand >= 0) end,
  act = function(view, legal)
    asked += 1
    return math.clamp(math.ceil(#legal * (config.part or 0.5)), 1, #legal)
  end,
  deal_end = function(view, payoffs) assert(#payoffs >= 2) end,
  tests = { takes_the_middle = function() assert(math.ceil(3 * 0.5) == 2) end },
}
