// act: your turn; the place of an action in legal, a pass first, then cards from the weakest on. Keeps its weakest card for the end.
func act(view *View, legal []Action) (int, int64) {
	for i, action := range legal {
		isLast := view.Hand&(view.Hand-1) == 0
		isWeakest := view.Hand&(1<<action.Card-1) == 0
		if action.Kind == ActionKindPlay && (isLast || !isWeakest) {
			return i, 0
		}
	}
	return 0, 0
}
