/**
 * Returns the action to play, an element of `legal`. The pass is first in the list; then come the
 * cards, the weakest first. Keeps its weakest card for the end.
 */
function act(view, legal) {
  const weakest = String(Math.min(...view.hand.map(Number)));
  const keeps = (action) => action.card === weakest && view.hand.length > 1;
  return legal.find((action) => action.kind === "play" && !keeps(action)) ?? legal[0];
}
