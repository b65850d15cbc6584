//! Conversion of finished deals to records, and of records to text.

use super::{Hand, HandOrigin, Step, Variant, decimal};
use hattari_games::Game;
use hattari_games::poker::event::{self, Entry};
use hattari_games::poker::{
    self, BetLimit, BettingStructure, Deal, FirstToAct, Phase, Poker, card,
};
use std::fmt::Write;
use thiserror::Error;

/// The reason a deal cannot be written in the format.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct WriteHandError(&'static str);

/// Returns the record of a finished deal. `players` are names by seat, or empty.
///
/// # Errors
/// Returns an error if the format has no code for the game with its options, or if the deal is not
/// over.
pub fn hand_of<V: poker::Variant>(
    game: &Poker<V>,
    deal: &Deal,
    players: &[String],
    origin: HandOrigin,
) -> Result<Hand, WriteHandError> {
    let form = game.form();
    let variant = match (form.streets[0].first, form.limit) {
        (FirstToAct::AfterBlinds, BetLimit::NoLimit) => Variant::NoLimitHoldem,
        (FirstToAct::AfterBlinds, BetLimit::FixedLimit) => Variant::FixedLimitHoldem,
        (FirstToAct::AfterBlinds, _) => {
            return Err(WriteHandError(
                "the format has no code for pot-limit hold'em",
            ));
        }
        (_, BetLimit::FixedLimit) => Variant::FixedLimitStud,
        _ => {
            return Err(WriteHandError(
                "the format has no code for stud without fixed limit",
            ));
        }
    };
    if deal.phase != Phase::Over {
        return Err(WriteHandError("the deal is not over"));
    }
    let seated = deal.betting.players();
    let count = usize::from(seated);
    let seats: Vec<usize> = (1..=count)
        .map(|step| (usize::from(deal.button) + step) % count)
        .collect();
    let won = |seat: usize| {
        let is_win = |entry: &&Entry| entry.kind == event::WIN && usize::from(entry.seat) == seat;
        let wins = deal.history.iter().filter(is_win);
        wins.map(|entry| entry.amount).sum::<i64>()
    };
    let after = |seat: usize| deal.betting.stacks[seat];
    let before = |seat: usize| after(seat) + deal.betting.paid[seat] - won(seat);
    let by_position = |chips: &dyn Fn(u8) -> i64| swap_heads_up((0..seated).map(chips).collect());
    Ok(Hand {
        variant,
        decimals: 0,
        chip: 1,
        antes: by_position(&|position| form.ante_of(position)),
        dead_antes: form.dead_antes,
        blinds: if variant == Variant::FixedLimitStud {
            Vec::new()
        } else {
            by_position(&|position| form.post_of(position, seated))
        },
        bring_in: form.bring_in,
        small_bet: form.streets.first().map_or(0, |street| street.bet),
        big_bet: form.streets.last().map_or(0, |street| street.bet),
        starting_stacks: seats.iter().map(|&seat| before(seat)).collect(),
        finishing_stacks: seats.iter().map(|&seat| after(seat)).collect(),
        actions: actions(form, deal),
        players: seats
            .iter()
            .filter_map(|&seat| players.get(seat).cloned())
            .collect(),
        origin: HandOrigin {
            options: serde_json::to_string(game.options()).ok(),
            ..origin
        },
    })
}

/// Converts antes or blinds from the order of positions to the order of the format, or back. With
/// two players, the amounts are swapped; with more, the orders are the same.
pub(super) fn swap_heads_up(mut amounts: Vec<i64>) -> Vec<i64> {
    if amounts.len() == 2 {
        amounts.swap(0, 1);
    }
    amounts
}

/// Returns the steps of a deal, including hidden cards.
fn actions(form: &BettingStructure, deal: &Deal) -> Vec<Step> {
    let count = deal.betting.players();
    let player = |seat: u8| usize::from((seat + count - deal.button - 1) % count);
    // `cards`: the cards of a seat in the order dealt. `dealt_by`: the number of cards dealt before
    // a street.
    let cards = |seat: u8| {
        deal.places(seat)
            .iter()
            .map(|&place| Some(deal.deck()[usize::from(place)]))
    };
    let dealt_by = |street: usize| {
        form.streets[..street]
            .iter()
            .map(|street| usize::from(street.down + street.up))
            .sum()
    };
    let mut in_play: u16 = (1 << count) - 1;
    let (mut steps, mut shown_early) = (Vec::new(), Vec::new());
    let deal_street = |street: u8, in_play: u16, steps: &mut Vec<Step>| {
        let (before, after): (usize, usize) =
            (dealt_by(street.into()), dealt_by(usize::from(street) + 1));
        for seat in (1..=count)
            .map(|step| (deal.button + step) % count)
            .filter(|seat| in_play & 1 << seat != 0)
        {
            let new: Vec<Option<u8>> = cards(seat).take(after).skip(before).collect();
            if !new.is_empty() {
                steps.push(Step::DealHole(player(seat), new));
            }
        }
    };
    deal_street(0, in_play, &mut steps);
    for &Entry {
        kind,
        seat,
        street,
        amount,
        cards: public,
        ..
    } in &deal.history
    {
        match kind {
            event::FOLD => {
                in_play &= !(1 << seat);
                steps.push(Step::Fold(player(seat)));
            }
            event::CHECK | event::CALL => steps.push(Step::CheckOrCall(player(seat))),
            event::BRING_IN => steps.push(Step::BringIn(player(seat))),
            event::RAISE => steps.push(Step::RaiseTo(player(seat), amount)),
            event::STREET => {
                if public != 0 {
                    steps.push(Step::DealBoard(card::cards(public).map(Some).collect()));
                }
                deal_street(street, in_play, &mut steps);
            }
            event::SHOW => {
                let dealt = dealt_by(usize::from(street) + 1);
                steps.push(Step::Show(player(seat), cards(seat).take(dealt).collect()));
                shown_early.extend((dealt < cards(seat).len()).then_some(seat));
            }
            _ => {}
        }
    }
    // In stud, the last card is dealt face down even if a hand has already been shown, so the
    // format shows such a hand again.
    steps.extend(
        shown_early
            .into_iter()
            .map(|seat| Step::Show(player(seat), cards(seat).collect())),
    );
    steps
}

/// Formats one hand as a document (`.phh`), several as numbered tables (`.phhs`).
pub fn document(hands: &[Hand]) -> String {
    if let [hand] = hands {
        return fields(hand);
    }
    (1..)
        .zip(hands)
        .map(|(number, hand)| table(number, hand))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Formats one hand as the TOML table `[number]` of a document with several hands. Numbers start at
/// 1.
pub fn table(number: u64, hand: &Hand) -> String {
    format!("[{number}]\n{}", fields(hand))
}

fn fields(hand: &Hand) -> String {
    let mut text = String::new();
    let mut field = |name: &str, value: String| {
        writeln!(text, "{name} = {value}").expect("writing to a string succeeds")
    };
    field("variant", quoted(hand.variant.code()));
    let numbers =
        |amounts: &[i64]| list(amounts.iter().map(|&amount| decimal(amount, hand.decimals)));
    let number = |amount: i64| decimal(amount, hand.decimals);
    // Trimmed: a player who cannot pay the full ante can win only the same part of the others'
    // antes.
    if hand.antes.iter().any(|&ante| ante != 0) {
        field("ante_trimming_status", (!hand.dead_antes).to_string());
    }
    field("antes", numbers(&hand.antes));
    if hand.variant == Variant::FixedLimitStud {
        field("bring_in", number(hand.bring_in));
    } else {
        field("blinds_or_straddles", numbers(&hand.blinds));
    }
    if hand.variant == Variant::NoLimitHoldem {
        field("min_bet", number(hand.small_bet));
    } else {
        field("small_bet", number(hand.small_bet));
        field("big_bet", number(hand.big_bet));
    }
    field("starting_stacks", numbers(&hand.starting_stacks));
    field(
        "actions",
        list(
            hand.actions
                .iter()
                .map(|step| quoted(&step.text(hand.decimals))),
        ),
    );
    if !hand.finishing_stacks.is_empty() {
        field("finishing_stacks", numbers(&hand.finishing_stacks));
    }
    if !hand.players.is_empty() {
        field(
            "players",
            list(hand.players.iter().map(|name| quoted(name))),
        );
    }
    for (name, value) in origin_fields(&hand.origin) {
        if let Some(value) = value {
            field(name, value);
        }
    }
    text
}

/// Returns the names and values of the fields for the origin of a hand.
fn origin_fields(origin: &HandOrigin) -> [(&'static str, Option<String>); 6] {
    // TOML integers end at 2^63 - 1.
    let seed = |seed: u64| {
        i64::try_from(seed).map_or_else(|_| quoted(&seed.to_string()), |seed| seed.to_string())
    };
    let index = |index: Option<u32>| index.map(|index| index.to_string());
    [
        ("_seed", origin.seed.map(seed)),
        ("_league", origin.league.as_deref().map(quoted)),
        ("_line_up", index(origin.line_up)),
        ("_block", index(origin.block)),
        ("_deal", index(origin.deal)),
        ("_options", origin.options.as_deref().map(quoted)),
    ]
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Formats a TOML string: literal in single quotes if possible, otherwise with escapes.
fn quoted(text: &str) -> String {
    if text
        .chars()
        .all(|letter| letter != '\'' && !letter.is_control())
    {
        return format!("'{text}'");
    }
    toml::Value::String(text.to_owned()).to_string()
}
