    /** Called on your turn. Returns one of `legal`: a pass first, then cards from the weakest on. Keeps its weakest card for the end. */
    static Choice act(Map<String, Object> view, List<Map<String, Object>> legal) {
        List<String> hand = list(view, "hand");
        String weakest = null;
        for (String card : hand) {
            if (weakest == null || Integer.parseInt(card) < Integer.parseInt(weakest)) weakest = card;
        }
        for (Map<String, Object> action : legal) {
            boolean keeps = weakest != null && weakest.equals(action.get("card")) && hand.size() > 1;
            if (action.get("kind").equals("play") && !keeps) return new Choice(action);
        }
        return new Choice(legal.get(0));
    }
