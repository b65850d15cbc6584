-- Fault: gives its strongest cards away in the exchange.
local bot = table.clone(require("original"))

function bot.exchange(view, legal)
    return 1
end

return bot
