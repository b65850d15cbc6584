// View contains the fields of a view that the bot uses; add more as needed: `hattari show types lua @game@` lists them.
type View struct {
	Hand []string
}

// Action is a legal action.
type Action struct {
	Kind, Card string
}

// isWeaker returns true if a card is weaker than another: cards are numbers.
func isWeaker(card, other string) bool {
	return len(card) < len(other) || (len(card) == len(other) && card < other)
}

// act is called on your turn. It returns the index of an action in legal: a pass first, then cards from the weakest on. Keeps its
// weakest card for the end.
func act(view *View, legal []Action) (int, int64) {
	for i, action := range legal {
		if action.Kind != "play" {
			continue
		}
		for _, card := range view.Hand {
			if len(view.Hand) == 1 || isWeaker(card, action.Card) {
				return i, 0
			}
		}
	}
	return 0, 0
}
