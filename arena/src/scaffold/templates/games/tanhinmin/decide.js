/** Called on your turn. Returns one of `legal`: a pass first, then cards from the weakest on. Keeps its weakest card for the end. */
function act(view, legal) {
  const weakest = String(Math.min(...view.hand.map(Number)));
  const keeps = (action) => action.card === weakest && view.hand.length > 1;
  return legal.find((action) => action.kind === "play" && !keeps(action)) ?? legal[0];
}
