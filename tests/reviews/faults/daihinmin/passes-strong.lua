-- Fault: passes when it would win the trick with an eight, a two or the joker.
local bot = table.clone(require("original"))
local act = bot.act
local strong = { [8] = true, [15] = true, [16] = true }

function bot.act(view, legal)
    local choice = act(view, legal)
    local play = legal[choice]
    if view.table and play.count > 0 and (play.joker or strong[play.rank]) then
        for i, other in legal do
            if other.kind == "pass" then return i end
        end
    end
    return choice
end

return bot
