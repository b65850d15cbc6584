-- Takes the last legal action; a raise with the least amount.
return {
  act = function(view, legal)
    local action = legal[#legal]
    if action.kind == "raise" then return #legal, action.lowest end
    return #legal
  end,
}
