    /**
     * Called on your turn. Returns one of `legal`, and for a raise the amount: your total bet on this street. Bets the minimum with a
     * pair, otherwise pays up to a quarter of the pot. In stud in seven turns, turns up the lowest hidden card.
     */
    static Choice act(Map<String, Object> view, List<Map<String, Object>> legal) {
        if (view.get("phase").equals("open")) return new Choice(legal.get(0));
        List<String> hand = list(view, "hand");
        HashSet<Character> ranks = new HashSet<>();
        for (String card : hand) ranks.add(card.charAt(0));
        boolean paired = ranks.size() < hand.size();
        Map<String, Object> stay = null;
        for (String kind : List.of("check", "call", "bring_in")) {
            if (stay == null) stay = find(legal, kind);
        }
        Map<String, Object> raise = find(legal, "raise"), fold = find(legal, "fold");
        if (raise != null && (stay == null || (paired && number(view, "raises") < 2))) {
            return new Choice(raise, number(raise, "lowest"));
        }
        if (!paired && fold != null && number(view, "to_call") * 4 > number(view, "pot")) return new Choice(fold);
        return new Choice(stay != null ? stay : legal.get(0));
    }
