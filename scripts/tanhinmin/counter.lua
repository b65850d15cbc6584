-- Counts the unseen cards. If at most one of its cards can be beaten, it plays its strongest cards first, which wins. Otherwise
-- it plays its weakest legal card, but keeps the weakest card of its hand until the end.
return {
  bot = { version = "1.0.0", description = "Counts unseen cards, plays sure wins, keeps its weakest card until the end" },
  act = function(view, legal)
    local unseen = {}
    for card = 1, view.seats * view.cards do
      unseen[card] = true
    end
    for _, set in { view.hand, view.gone } do
      for _, card in set do
        unseen[tonumber(card)] = nil
      end
    end
    local strongest = 0
    for card in unseen do
      strongest = math.max(strongest, card)
    end

    local beatable = 0
    for _, card in view.hand do
      if tonumber(card) < strongest then
        beatable += 1
      end
    end
    local last = #legal
    if beatable <= 1 and legal[last].kind == "play" then
      return last
    end

    -- Play the weakest legal card, except the weakest card of the hand while it has others.
    local weakest = math.huge
    for _, card in view.hand do
      weakest = math.min(weakest, tonumber(card))
    end
    for index, action in legal do
      if action.kind == "play" and (tonumber(action.card) > weakest or #view.hand == 1) then
        return index
      end
    end
    return 1
  end,
}
