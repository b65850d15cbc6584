// What a play costs. Passes come last, the joker before them; a revolution turns the order of ranks round.
func cost(action *Action, reversed bool) int {
	strength := int(action.Column)
	if reversed {
		strength = 15 - strength
	}
	switch {
	case action.Kind == ActionKindGive:
		// Cards to give away: the set whose strongest card, the highest bit, is the weakest.
		price := 0
		for set := action.Cards; set != 0; set >>= 1 {
			price++
		}
		return price
	case action.Kind == ActionKindPass:
		return 10000
	case action.Joker != 255:
		return 5000
	}
	return 100*strength + 20 - int(action.Count)
}

// act: your turn; the place of an action in legal. There are no amounts in this game.
func act(view *View, legal []Action) (int, int64) {
	best := 0
	for i := range legal {
		if cost(&legal[i], view.Revolution != view.ElevenBack) < cost(&legal[best], view.Revolution != view.ElevenBack) {
			best = i
		}
	}
	return best, 0
}
