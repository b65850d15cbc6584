// What a play costs. Passes come last, the joker before them; a revolution turns the order of ranks round.
func cost(action *Action, reversed bool) int {
	strength := int(action.Column)
	if reversed {
		strength = 15 - strength
	}
	switch {
	case action.Kind == ActionKindPass:
		return 1000
	case action.Joker != 255:
		return 500
	}
	return 20*strength - int(action.Count)
}

// act: your turn; the place of an action in legal. There are no amounts in this game.
func act(view *View, legal []Action) (int, int64) {
	// Cards to give away: the sets are listed from the strongest to the weakest.
	if view.Phase == ViewPhaseExchange {
		return len(legal) - 1, 0
	}
	best := 0
	for i := range legal {
		if cost(&legal[i], view.Revolution != view.ElevenBack) < cost(&legal[best], view.Revolution != view.ElevenBack) {
			best = i
		}
	}
	return best, 0
}
