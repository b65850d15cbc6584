//! Deals as scripts: the legal actions and the choice of each seat, line by line.

use hattari_games::poker::card::{DECK, cards, name, parse_list, set_of};
use hattari_games::stud::{Action, Deal, Options, Stud, kind};
use hattari_games::{Game, Move};

/// A deal as text.
pub(super) struct Script {
    /// Options of the rules.
    pub options: Options,
    /// Chips of each seat. Seat 0 has the button.
    pub stacks: &'static [i64],
    /// Seven cards for each seat in the order of dealing; on the first street, hidden cards come
    /// first. Later cards may be missing.
    pub cards: &'static str,
    /// One line per decision: `seat: legal actions > choice`, for example `2: fold, call 40, raise
    /// 80 > call`. Without `>` the script ends there. The legal actions may be omitted.
    pub moves: &'static str,
}

/// Describes the legal actions.
pub(super) fn legal(game: &Stud, deal: &Deal) -> String {
    let mut legal = Vec::new();
    game.legal(deal, &mut legal);
    legal.iter().map(words).collect::<Vec<_>>().join(", ")
}

fn words(action: &Action) -> String {
    match (action.kind, action.lowest, action.highest) {
        (kind::FOLD, ..) => "fold".into(),
        (kind::CHECK, ..) => "check".into(),
        (kind::CALL, chips, _) => format!("call {chips}"),
        (kind::BRING_IN, chips, _) => format!("bring in {chips}"),
        (kind::OPEN, ..) => format!("open {}", name(action.card).unwrap()),
        (_, lowest, highest) if lowest == highest => format!("raise {lowest}"),
        (_, lowest, highest) => format!("raise {lowest}-{highest}"),
    }
}

/// Plays a script and checks every line. Returns the deal at the end of the script.
///
/// # Panics
/// Panics if the rules differ from the script.
pub(super) fn play(script: &Script) -> (Stud, Deal) {
    let game = Stud::new(script.options.clone()).unwrap();
    let mut block = game.new_block(script.stacks.len(), 1);
    block.stacks[..script.stacks.len()].copy_from_slice(script.stacks);
    let mut deck = parse_list(script.cards).unwrap();
    deck.extend(cards(!set_of(&deck) & DECK));
    let mut deal = game.new_deal();
    game.start(&block, &deck.try_into().unwrap(), &mut deal)
        .unwrap();
    for line in script
        .moves
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let (seat, rest) = line.split_once(':').expect("a line has a seat");
        assert_eq!(
            game.to_act(&deal).map(|seat| seat.to_string()).as_deref(),
            Some(seat),
            "who acts at `{line}`"
        );
        let (expected, choice) = match rest.split_once('>') {
            Some((expected, choice)) => (expected.trim(), Some(choice.trim())),
            None => (rest.trim(), None),
        };
        if !expected.is_empty() {
            assert_eq!(legal(&game, &deal), expected, "what is legal at `{line}`");
        }
        if let Some(choice) = choice {
            apply(&game, &mut deal, choice, line);
        }
    }
    (game, deal)
}

fn apply(game: &Stud, deal: &mut Deal, choice: &str, line: &str) {
    let (word, rest) = choice.split_once(' ').unwrap_or((choice, ""));
    let amount = rest.parse().unwrap_or(0);
    let mut legal = Vec::new();
    game.legal(deal, &mut legal);
    let fits = |action: &&Action| {
        let text = words(action);
        match action.kind {
            kind::RAISE => word == "raise" && (action.lowest..=action.highest).contains(&amount),
            kind::OPEN => text == choice,
            _ => text.starts_with(word),
        }
    };
    let action = *legal
        .iter()
        .find(fits)
        .unwrap_or_else(|| panic!("`{choice}` is not legal at `{line}`"));
    game.apply(deal, Move { action, amount });
}

/// Plays a script to the end of the deal and checks the chips of every seat.
///
/// # Panics
/// Panics in the same cases as [`play`], and if the deal is not over or the chips differ.
pub(super) fn check(script: &Script, chips: &[i64]) -> (Stud, Deal) {
    let (game, deal) = play(script);
    assert_eq!(game.to_act(&deal), None, "the deal is not over: {deal:?}");
    assert_eq!(&deal.betting.stacks[..chips.len()], chips, "{deal:?}");
    assert_eq!(chips.iter().sum::<i64>(), script.stacks.iter().sum::<i64>());
    (game, deal)
}
