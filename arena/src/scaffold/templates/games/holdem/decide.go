// View contains the fields of a view that the bot uses; add more as needed: `hattari show types lua @game@` lists them.
type View struct {
	Hand, Community    []string
	Raises, Level, Pot int64
	ToCall             int64 `json:"to_call"`
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
// Raises by half the pot with its own pair, calls at odds of four to one, otherwise checks or folds.
func act(view *View, legal []Action) (int, int64) {
	raise, check := find(legal, "raise"), find(legal, "check")
	all := append(append([]string{}, view.Hand...), view.Community...)
	paired := hasPair(all) && !hasPair(view.Community)
	if paired && raise >= 0 && view.Raises < 2 {
		total := view.Level + view.Pot/2
		if total > legal[raise].Highest {
			total = legal[raise].Highest
		}
		if total < legal[raise].Lowest {
			total = legal[raise].Lowest
		}
		return raise, total
	}
	if check >= 0 {
		return check, 0
	}
	if paired || view.ToCall*4 <= view.Pot {
		return find(legal, "call"), 0
	}
	return find(legal, "fold"), 0
}
