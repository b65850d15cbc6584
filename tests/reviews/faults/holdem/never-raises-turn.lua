-- Fault: never raises on the turn.
local bot = table.clone(require("original"))
local act = bot.act

function bot.act(view, legal)
    local choice, amount = act(view, legal)
    if view.street == "turn" and legal[choice].kind == "raise" then
        for i, other in legal do
            if other.kind == "check" or other.kind == "call" then return i end
        end
    end
    return choice, amount
end

return bot
