// View contains the fields of a view that the bot uses; add more as needed: `hattari show types lua @game@` lists them.
type View struct {
	Phase       string
	Hand        []string
	Raises, Pot int64
	ToCall      int64 `json:"to_call"`
}

// Action is a legal action.
type Action struct {
	Kind            string
	Lowest, Highest int64
}

// find returns the index of the first action of a kind, or -1.
func find(legal []Action, kind string) int {
	for i := range legal {
		if legal[i].Kind == kind {
			return i
		}
	}
	return -1
}

// hasPair returns true if two of the cards have the same rank.
func hasPair(cards []string) bool {
	ranks := map[byte]bool{}
	for _, card := range cards {
		ranks[card[0]] = true
	}
	return len(ranks) < len(cards)
}

// act is called on your turn. It returns the index of an action in legal and, for a raise, the amount: your total bet on the street.
// Bets the minimum with a pair, otherwise pays up to a quarter of the pot. In stud in seven turns, turns up the lowest hidden card.
func act(view *View, legal []Action) (int, int64) {
	if view.Phase == "open" {
		return 0, 0
	}
	paired, raise, stay := hasPair(view.Hand), find(legal, "raise"), find(legal, "check")
	for _, kind := range []string{"call", "bring_in"} {
		if stay < 0 {
			stay = find(legal, kind)
		}
	}
	if raise >= 0 && (stay < 0 || (paired && view.Raises < 2)) {
		return raise, legal[raise].Lowest
	}
	if fold := find(legal, "fold"); fold >= 0 && !paired && view.ToCall*4 > view.Pot {
		return fold, 0
	}
	if stay < 0 {
		return 0, 0
	}
	return stay, 0
}
