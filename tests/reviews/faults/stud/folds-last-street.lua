-- Fault: folds to every bet on the last street.
local bot = table.clone(require("original"))
local act = bot.act

function bot.act(view, legal)
    local choice, amount = act(view, legal)
    if view.street == view.streets and view.to_call > 0 then
        for i, other in legal do
            if other.kind == "fold" then return i end
        end
    end
    return choice, amount
end

return bot
