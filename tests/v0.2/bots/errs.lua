-- Has one error in the second deal of a block, and takes the first action otherwise.
local deals = 0
return {
  deal_start = function() deals += 1 end,
  act = function(view, legal)
    if deals == 2 then error("the second deal") end
    return 1
  end,
}
