-- Takes any legal action by the generator that the host gives it; a raise with any amount.
return {
  act = function(view, legal)
    local index = math.random(#legal)
    local action = legal[index]
    if action.kind == "raise" then return index, math.random(action.lowest, action.highest) end
    return index
  end,
}
