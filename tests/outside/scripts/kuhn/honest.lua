-- Bets with a king, calls with a king or a queen, and never bluffs.
for key in config do error(`there is no setting '{key}'`, 0) end

return {
  bot = { version = "1.0.0", description = "Bets with a king, calls with a king or a queen, never bluffs" },
  act = function(view, legal)
    local wanted = if view.card == "K" then { bet = true, call = true } elseif view.card == "Q" then { call = true } else {}
    for index, action in legal do
      if wanted[action.kind] then return index end
    end
    return 1
  end,
}
