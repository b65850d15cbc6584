// View has what the bot reads of a view; add fields as you need them: `hattari show types lua @game@` lists them.
type View struct {
	Phase      string
	Revolution bool
	ElevenBack bool `json:"eleven_back"`
}

// Action is something that the bot may do.
type Action struct {
	Kind          string
	Column, Count int
	Joker         any
}

// cost returns what a play costs. Passes come last, the joker before them; a revolution turns the order of columns round.
func cost(action *Action, reversed bool) int {
	strength := action.Column
	if reversed {
		strength = 15 - strength
	}
	switch {
	case action.Kind == "pass":
		return 1000
	case action.Joker != nil:
		return 500
	}
	return 20*strength - action.Count
}

// act: your turn; the place of an action in legal. There are no amounts in this game.
func act(view *View, legal []Action) (int, int64) {
	// Cards to give away: the sets are listed from the strongest to the weakest.
	if view.Phase == "exchange" {
		return len(legal) - 1, 0
	}
	best, reversed := 0, view.Revolution != view.ElevenBack
	for i := range legal {
		if cost(&legal[i], reversed) < cost(&legal[best], reversed) {
			best = i
		}
	}
	return best, 0
}
