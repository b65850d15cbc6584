-- Raises with a pair or a king, calls with a queen, and gives up the rest when it is bet at.
for key in config do error(`there is no setting '{key}'`, 0) end

local ranks = { J = 1, Q = 2, K = 3 }

local function rank(card)
  return card and ranks[string.sub(card, 1, 1)]
end

return {
  bot = { version = "1.0.0", description = "Raises with a pair or a king, calls with a queen" },
  act = function(view, legal)
    local own = rank(view.card)
    local wanted = {}
    if own == rank(view.public) or own == 3 then
      wanted = { "raise", "call" }
    elseif own == 2 then
      wanted = { "call" }
    end
    for _, kind in wanted do
      for index, action in legal do
        if action.kind == kind then return index end
      end
    end
    return 1
  end,
}
