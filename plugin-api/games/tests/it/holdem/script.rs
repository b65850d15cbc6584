//! Deals as scripts: what each seat may do and does, line by line.

use hattari_games::holdem::{Action, Deal, Holdem, Options, kind};
use hattari_games::poker::card::{cards, parse_list, set_of};
use hattari_games::{Game, Grant};

/// A deal on paper.
pub(super) struct Script {
    /// The rules.
    pub options: Options,
    /// Chips of each seat. Seat 0 has the button.
    pub stacks: &'static [i64],
    /// Two cards for each seat, a bar, the community cards: `AsAh KdKc | 2c7d9hTsJs`. Cards may be
    /// left out at the end.
    pub cards: &'static str,
    /// A line for each decision: `seat: what is legal > choice`, as in `2: fold, call 100, raise
    /// 200-1000 > call 100`. Without an arrow the deal stops there. What is legal may be left
    /// out.
    pub moves: &'static str,
}

/// The legal actions in words.
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

/// The deck that begins with these cards, the others after them.
pub(super) fn deck(text: &str) -> [u8; 52] {
    let mut deck = parse_list(&text.replace('|', " ")).unwrap();
    deck.extend(cards(!set_of(&deck) & hattari_games::poker::card::DECK));
    deck.try_into().unwrap()
}

/// Plays a script, checking every line. The deal as it stands at its end.
///
/// # Panics
/// Where the rules do not say what the script says.
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
    game.apply(deal, Grant { action, amount });
}

/// Plays a script to the end of the deal and checks every seat's chips.
///
/// # Panics
/// As [`play`], and where the deal is not over or somebody has other chips.
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
