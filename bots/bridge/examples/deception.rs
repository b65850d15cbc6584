//! Prints the values of declarer's cards in one decision, with 95 % intervals, if declarer takes
//! the defenders' reasoning into account. Does not need a league.
//!
//! ```sh
//! cargo run --release -p hattari-bots-bridge --example deception -- [first|all]
//!     [known|offside|any] [candidates=100] [samples=40] [cheap=on|off] [hcp=15-17|15|none]
//!     [engine=auto] [seed=1]
//! ```
//!
//! The position is that of Kobayashi, Yamashita and Uehara: West plays 3NT, North has led the seven
//! of spades, East's two and South's jack are on the table.
//!
//! - `first` models the first decision of a defender on lead, with double-dummy play afterwards;
//!   `all` models ordinary reasoning of all players to the end.
//! - `known` uses the paper's deal as the real deal; `offside` all deals in which North has the
//!   king of clubs; `any` all deals that West considers possible.
//! - `north` prints North's values of each card, once on lead in the paper's deal, over
//!   `candidates` samples. `third=off` and `lead=off` remove these rules from North's reasoning.
//! - `deals` writes `candidates` candidates for the real deal in PBN notation.

use hattari_bots_bridge::deceive::{Deceiver, Source, line_card};
use hattari_bots_bridge::play::OpenDeal;
use hattari_bots_bridge::reason::{self, Reasoning, Tools};
use hattari_bots_bridge::worlds::Worlds;
use hattari_double_dummy::{DoubleDummy, Engine};
use hattari_games::Game;
use hattari_games::bridge::{Bridge, Card, CardSet, Deal, HandConstraints, Options, Seat};
use hattari_plugin::Rng;
use std::time::Instant;

const REAL: &str = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54";

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|other| other == word);
    let value = |name: &str| {
        words
            .iter()
            .find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    };
    let number = |name: &str, default: u32| {
        value(name).map_or(Ok(default), |text| text.parse().map_err(|_| text))
    };
    let number = |name, default| {
        number(name, default).map_err(|text| format!("{name}: `{text}` is not a number"))
    };
    let points = match value("hcp") {
        Some("15") => [15, 15],
        Some("none") => [0, 37],
        _ => [15, 17],
    };
    let (hcp, cheap) = (value("hcp") != Some("none"), value("cheap") != Some("off"));
    let mut options = Options {
        dealer: Seat::West,
        deals: vec![REAL.into()],
        ..Options::default()
    };
    options.played = "S7 S2 SJ".into();
    options.declarer = HandConstraints {
        hcp: points,
        balanced: true,
        ..HandConstraints::default()
    };
    let game = Bridge::new(options.clone())?;
    let mut board = game.new_deal();
    game.start(&game.setup().deals[0], &mut board);
    let view = game.view_of(&game.new_block(4, 1), &board, Seat::West as u8);

    let (third, lead) = (value("third") != Some("off"), value("lead") != Some("off"));
    let own = Reasoning {
        hcp,
        third,
        lead,
        solves_from: 13,
        ..Reasoning::default()
    };
    let samples = number("samples", if has("all") { 20 } else { 40 })?;
    let deceiver = Deceiver {
        candidates: number("candidates", 100)?,
        models_all: has("all"),
        own,
        opponents: Reasoning {
            samples,
            cheap,
            ..own
        },
        holdings: options.setup()?.holdings,
        line: Vec::new(),
    };
    let engine = match value("engine") {
        Some("own") => Engine::Own,
        Some("libdds") => Engine::Libdds,
        _ => Engine::Auto,
    };
    let solver = DoubleDummy::new(engine, 64).map_err(|error| error.to_string())?;
    let mut tools = Tools {
        solver,
        rng: Rng::new(number("seed", 1)?.into()),
        deadline: None,
    };
    let king: Card = "CK".parse().map_err(|error| format!("{error}"))?;
    let is_offside = |hands: &[CardSet; 4]| hands[Seat::North as usize].contains(king);
    let any = |_: &[CardSet; 4]| true;
    let source = match () {
        () if has("offside") => Source::Sampled(&is_offside),
        () if has("any") => Source::Sampled(&any),
        () => Source::Known(*board.hands()),
    };
    let cards: Vec<Card> = ["SQ", "SA", "S6"]
        .iter()
        .filter_map(|text| text.parse().ok())
        .collect();
    if has("north") {
        for &card in &cards[..2] {
            let mut play = OpenDeal::of(&view, *board.hands());
            play.play(card);
            north(&deceiver, play, &mut tools);
        }
        return Ok(());
    }
    if has("deals") {
        let mut worlds = Worlds::of(&view, &deceiver.holdings, own.rules());
        let hands = std::iter::repeat_with(|| worlds.draw_relaxed(&mut tools.rng));
        let is_meant = |hands: &[CardSet; 4]| has("any") || is_offside(hands);
        for (number, hands) in (1..=deceiver.candidates).zip(hands.filter(is_meant)) {
            let dealt = |seat: usize| CardSet(hands[seat].0 | view.played[seat]);
            println!(
                "[Board \"{number}\"]\n[Deal \"{}\"]\n",
                Deal {
                    hands: [0, 1, 2, 3].map(dealt)
                }
            );
        }
        return Ok(());
    }
    let start = Instant::now();
    let results = deceiver.judge(&view, &cards, source, &mut tools);
    println!(
        "arguments: {}; time: {:.1} s",
        words.join(" "),
        start.elapsed().as_secs_f64()
    );
    println!("card  makes  ± 95 %   tricks    over SQ  ± 95 %");
    let goal = 6 + view.level;
    let made = |at: usize| {
        results
            .tricks
            .iter()
            .map(move |tricks| f64::from(u8::from(goal <= tricks[at])))
    };
    for (at, card) in cards.iter().enumerate() {
        let (mean, half) = interval(made(at));
        let (over, over_half) = interval(made(at).zip(made(0)).map(|(a, b)| a - b));
        let tricks = f64::from(results.tallies[at].tricks) / f64::from(deceiver.candidates);
        println!("{card}    {mean:.3}   {half:.3}   {tricks:6.2}   {over:+.3}   {over_half:.3}");
    }
    Ok(())
}

/// Prints the values of each card for the first defender on lead, and the result in the real deal.
fn north(deceiver: &Deceiver, mut play: OpenDeal, tools: &mut Tools) {
    print!("after");
    while let Some(turn) = play.turn().filter(|_| !play.is_defenders_lead()) {
        let card = line_card(&deceiver.line, &play, turn);
        print!(" {card}");
        play.play(card);
    }
    println!("\ncard  makes  tricks   real");
    let (view, cards) = (play.view(), play.legal());
    let tallies = reason::judge(
        &view,
        &cards,
        &deceiver.opponents,
        &deceiver.holdings,
        tools,
        true,
    )
    .unwrap_or_default();
    let real = tools.double_dummy_tricks(&play);
    for (card, tally) in cards.iter().zip(&tallies) {
        let share = |n: u32| f64::from(n) / f64::from(deceiver.opponents.samples);
        let real = real
            .iter()
            .find(|value| value.0 == *card)
            .map_or(0, |value| value.1);
        println!(
            "{card}    {:.3}  {:6.2}  {real:>5}",
            share(tally.made),
            share(tally.tricks)
        );
    }
}

/// Returns the mean and half the width of its 95 % interval, by the normal approximation.
fn interval(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().map(|_| 1.0).sum::<f64>();
    let mean = values.clone().sum::<f64>() / count;
    let variance = values
        .map(|value| (value - mean) * (value - mean))
        .sum::<f64>()
        / (count - 1.0).max(1.0);
    (mean, 1.96 * (variance / count).sqrt())
}
