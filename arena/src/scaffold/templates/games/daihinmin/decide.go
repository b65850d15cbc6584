// View contains the fields of a view that the bot uses. Add fields as you need them:
// `hattari show types lua @game@` lists all fields.
type View struct {
	Phase      string
	Revolution bool
	ElevenBack bool `json:"eleven_back"`
}

// Action is a legal action.
type Action struct {
	Kind          string
	Column, Count int
	Joker         any
}

// cost returns the cost of a play. A pass costs most, then the joker. A revolution reverses the
// order of the columns.
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

// act returns the index in legal of the action to play, from 0, and an amount that this game does
// not use.
func act(view *View, legal []Action) (int, int64) {
	// In the exchange before a game, give away the weakest cards: they are last in the list.
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
