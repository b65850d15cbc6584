-- Fault: leads its joker first.
local bot = table.clone(require("original"))
local act = bot.act

function bot.act(view, legal)
    local choice = act(view, legal)
    if view.table == nil then
        for i, play in legal do
            if play.kind == "single" and play.rank == 16 then return i end
        end
    end
    return choice
end

return bot
