-- Fault: never ruffs; discards its lowest card instead.
local bot = table.clone(require("original"))
local act = bot.act
local trumps = { spades = "S", hearts = "H", diamonds = "D", clubs = "C" }

function bot.act(view, legal)
    local choice = act(view, legal)
    local trump = trumps[view.strain]
    if view.on_table == 0 or cards.suit[legal[choice].card] ~= trump then return choice end
    if cards.suit[view.cards[view.played_count - view.on_table + 1]] == trump then return choice end
    local lowest
    for i, action in legal do
        local is_trump = cards.suit[action.card] == trump
        if not is_trump and (not lowest or cards.rank[action.card] < cards.rank[legal[lowest].card]) then
            lowest = i
        end
    end
    return lowest or choice
end

return bot
