-- Fault: folds to every raise before the flop.
local bot = table.clone(require("original"))
local act = bot.act

function bot.act(view, legal)
    local choice, amount = act(view, legal)
    if view.street == "preflop" and view.raises > 0 then
        for i, other in legal do
            if other.kind == "fold" then return i end
        end
    end
    return choice, amount
end

return bot
