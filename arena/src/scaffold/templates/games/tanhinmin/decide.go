// View contains the fields of a view that the bot uses. Add fields as you need them:
// `hattari show types lua @game@` lists all fields.
type View struct {
	Hand []string
}

// Action is a legal action.
type Action struct {
	Kind, Card string
}

// isWeaker returns true if a card is weaker than another. Cards are numbers as text.
func isWeaker(card, other string) bool {
	return len(card) < len(other) || (len(card) == len(other) && card < other)
}

// act returns the index in legal of the action to play, from 0, and an amount that this game does
// not use. The pass is first in the list; then come the cards, the weakest first.
//
// It keeps its weakest card for the end.
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
