// The place of the first action of a kind; -1 where there is none.
func find(legal []Action, kind uint8) int {
	for i := range legal {
		if legal[i].Kind == kind {
			return i
		}
	}
	return -1
}

// Whether a set has two cards of a rank, which is four neighbouring bits.
func hasPair(set uint64) bool {
	for ; set != 0; set >>= 4 {
		if suits := set & 15; suits&(suits-1) != 0 {
			return true
		}
	}
	return false
}

// act: your turn; the place of an action in legal and, for a raise, the amount, which is the total of the street. Bets the least with a
// pair, pays a quarter of the pot for less. In the game of seven turns it turns up the first hidden card offered, the lowest.
func act(view *View, legal []Action) (int, int64) {
	if view.Phase == ViewPhaseOpen {
		return 0, 0
	}
	paired := hasPair(view.Hand)
	raise, stay := find(legal, ActionKindRaise), find(legal, ActionKindCheck)
	for _, kind := range []uint8{ActionKindCall, ActionKindBringIn} {
		if stay < 0 {
			stay = find(legal, kind)
		}
	}
	if raise >= 0 && (stay < 0 || (paired && view.Raises < 2)) {
		return raise, legal[raise].Lowest
	}
	if fold := find(legal, ActionKindFold); fold >= 0 && !paired && view.ToCall*4 > view.Pot {
		return fold, 0
	}
	if stay < 0 {
		return 0, 0
	}
	return stay, 0
}
