-- Fault: plays its highest card in second hand.
local bot = table.clone(require("original"))
local act = bot.act

function bot.act(view, legal)
    local choice = act(view, legal)
    if view.on_table ~= 1 then return choice end
    local led = cards.suit[view.cards[view.played_count]]
    for i, action in legal do
        local is_led = cards.suit[action.card] == led
        if is_led and cards.rank[action.card] > cards.rank[legal[choice].card] then choice = i end
    end
    return choice
end

return bot
