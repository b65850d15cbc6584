//! Deals as scripts: the legal actions and the choice of each seat, line by line.

use hattari_games::holdem::{Action, Deal, Holdem, Options, kind};
use hattari_games::poker::card::{cards, parse_list, set_of};
use hattari_games::{Game, Move};

/// A deal as text.
pub(super) struct Script {
    /// Options of the rules.
    pub options: Options,
    /// Chips of each seat. Seat 0 has the button.
    pub stacks: &'static [i64],
    /// Two cards for each seat, a bar, the community cards: `AsAh KdKc | 2c7d9hTsJs`. Later cards
    /// may be missing.
    pub cards: &'static str,
    /// One line per decision: `seat: legal actions > choice`, for example `2: fold, call 100, raise
    /// 200-1000 > call 100`. Without `>` the script ends there. The legal actions may be omitted.
    pub moves: &'static str,
}

/// Describes the legal actions.
pub(super) fn legal(game: &Holdem, deal: &Deal) -> String {
    let mut legal = Vec::new();
    game.legal(deal, &mut legal);
    legal.iter().map(words).collect::<Vec<_>>().join(", ")
}

fn words(action: &Action) -> String {
    match (action.kind, action.lowest, action.highest) {
        (kind::FOLD, ..) => "fold".into(),
        (kind::CHECK, ..) => "check".into(),
        (kind::CALL, chips, _) => format!("call {chips}"),
        (_, lowest, highest) if lowest == highest => format!("raise {lowest}"),
        (_, lowest, highest) => format!("raise {lowest}-{highest}"),
    }
}

/// Returns a deck that starts with these cards, followed by the others.
pub(super) fn deck(text: &str) -> [u8; 52] {
    let mut deck = parse_list(&text.replace('|', " ")).unwrap();
    deck.extend(cards(!set_of(&deck) & hattari_games::poker::card::DECK));
    deck.try_into().unwrap()
}

/// Plays a script and checks every line. Returns the deal at the end of the script.
///
/// # Panics
/// Panics if the rules differ from the script.
pub(super) fn play(script: &Script) -> (Holdem, Deal) {
    let game = Holdem::new(script.options.clone()).unwrap();
    let mut block = game.new_block(script.stacks.len(), 1);
    block.stacks[..script.stacks.len()].copy_from_slice(script.stacks);
    let mut deal = game.new_deal();
    game.start(&block, &deck(script.cards), &mut deal).unwrap();
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

fn apply(game: &Holdem, deal: &mut Deal, choice: &str, line: &str) {
    let (word, amount) = choice
        .split_once(' ')
        .map_or((choice, 0), |(word, amount)| {
            (word, amount.parse().unwrap())
        });
    let mut legal = Vec::new();
    game.legal(deal, &mut legal);
    let fits = |action: &&Action| {
        words(action).starts_with(word)
            && (action.kind != kind::RAISE || (action.lowest..=action.highest).contains(&amount))
            && (action.kind != kind::CALL || amount == 0 || amount == action.lowest)
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
pub(super) fn check(script: &Script, chips: &[i64]) -> (Holdem, Deal) {
    let (game, deal) = play(script);
    assert_eq!(game.to_act(&deal), None, "the deal is not over: {deal:?}");
    assert_eq!(
        &deal.betting.stacks[..chips.len()],
        chips,
        "{}",
        script.cards
    );
    assert_eq!(chips.iter().sum::<i64>(), script.stacks.iter().sum::<i64>());
    (game, deal)
}
