// View has what the bot reads of a view; add fields as you need them: `hattari show types lua @game@` lists them.
type View struct {
	Phase       string
	Hand        []string
	Raises, Pot int64
	ToCall      int64 `json:"to_call"`
}

// Action is something that the bot may do.
type Action struct {
	Kind            string
	Lowest, Highest int64
}

// find returns the place of the first action of a kind, -1 where there is none.
func find(legal []Action, kind string) int {
	for i := range legal {
		if legal[i].Kind == kind {
			return i
		}
	}
	return -1
}

// hasPair returns whether two of the cards have the same rank.
func hasPair(cards []string) bool {
	ranks := map[byte]bool{}
	for _, card := range cards {
		ranks[card[0]] = true
	}
	return len(ranks) < len(cards)
}

// act: your turn; the place of an action in legal and, for a raise, the amount, which is the total of the street. Bets the least with a
// pair, pays a quarter of the pot for less. In the game of seven turns it turns up the first hidden card offered, the lowest.
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
