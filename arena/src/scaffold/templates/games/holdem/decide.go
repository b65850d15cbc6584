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

// act: your turn; the place of an action in legal and, for a raise, the amount, which is the total of the street. Raises by half the pot
// with a pair of its own, calls at four to one, else checks or folds.
func act(view *View, legal []Action) (int, int64) {
	raise, check := find(legal, ActionKindRaise), find(legal, ActionKindCheck)
	paired := hasPair(view.Hand|view.Community) && !hasPair(view.Community)
	if paired && raise >= 0 && view.Raises < 2 {
		total := view.Level + view.Pot/2
		if total < legal[raise].Lowest {
			total = legal[raise].Lowest
		}
		if total > legal[raise].Highest {
			total = legal[raise].Highest
		}
		return raise, total
	}
	if check >= 0 {
		return check, 0
	}
	if paired || view.ToCall*4 <= view.Pot {
		return find(legal, ActionKindCall), 0
	}
	return find(legal, ActionKindFold), 0
}
