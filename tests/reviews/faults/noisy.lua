-- Plays like the original, but a third of its actions are random. `config.skip` gives other numbers.
local bot = table.clone(require("original"))
local act = bot.act
for _ = 1, config.skip or 0 do
    math.random()
end

function bot.act(view, legal)
    local choice, amount = act(view, legal)
    if math.random(3) == 1 then
        choice = math.random(#legal)
        amount = rawget(legal[choice], "lowest")
    end
    return choice, amount
end

return bot
