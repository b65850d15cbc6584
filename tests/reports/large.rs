//! Reports of leagues with very many entrants: their cost, and the size of their text.

use crate::report::csv_files;
use crate::support::JsonPart;
use crate::support::has;
use hattari_agents::record::{JobId, Record, Timing};
use hattari_play::samples::{SampleCollector, Samples};
use hattari_report::report::sections::{Detail, sections};
use hattari_report::report::terminal::{self, Screen};
use hattari_report::report::{Report, html, json};
use hattari_report::standings::{About, Standings, TestSettings, standings};
use hattari_stats::Rng;

/// Returns samples in which every pair of `bots` bots has its own table, with two blocks of one
/// deal. The first bots are a little better.
fn round_robin(bots: usize) -> Samples {
    let line_ups: Vec<Vec<usize>> = (0..bots)
        .flat_map(|a| (a + 1..bots).map(move |b| vec![a, b]))
        .collect();
    let names = (0..bots).map(|bot| format!("bot-{bot:04}")).collect();
    let mut collector = SampleCollector::new(names, &line_ups);
    let mut rng = Rng::new(7);
    for (number, at) in (0..).zip(&line_ups) {
        for block in 0..2 {
            #[expect(clippy::cast_possible_truncation, reason = "a few hundred")]
            let score = |bot: usize, rng: &mut Rng| {
                (400.0 * rng.uniform()) as i64 - i64::try_from(bot).unwrap() / 4
            };
            let payoffs: Vec<i64> = at.iter().map(|&bot| score(bot, &mut rng)).collect();
            let mut record = Record::new(
                JobId {
                    line_up: number,
                    block,
                },
                2,
            );
            record.add_deal(&payoffs, None);
            collector.add(&record).unwrap();
        }
    }
    collector.finish(&Timing::default()).unwrap()
}

/// Returns the standings for text and pages if `for_readers`, otherwise the complete ones.
fn of(samples: &Samples, for_readers: bool) -> Standings {
    let settings = TestSettings {
        for_readers,
        ..TestSettings::default()
    };
    standings(samples, About::default(), settings, None, None).unwrap()
}

#[test]
fn text_and_page_are_limited_and_csv_and_json_are_complete() {
    let samples = round_robin(150);
    let (short, standings) = (of(&samples, true), of(&samples, false));
    let report = Report {
        standings: &short,
        samples: &samples,
        replays: None,
    };
    let terminal = terminal::render(&sections(&report, Detail::default()), Screen::plain());
    has(
        &terminal,
        "the pairs among the first 30 bots, out of 11,175 pairs in total",
    );
    assert!(
        terminal.lines().count() < 2_000,
        "{} lines",
        terminal.lines().count()
    );
    let page = html::render(&report);
    assert!(
        page.len() < 8_000_000 && page.contains("out of 11,175 pairs"),
        "{} bytes",
        page.len()
    );
    // For each bot the report says how it compares with all others.
    assert_eq!(short.tallies()[0].total(), 149);
    assert_eq!(short.tallies(), standings.tallies());
    let lines = |name: &str| {
        let files = csv_files(&standings, &samples);
        files
            .iter()
            .find(|(file, _)| *file == name)
            .map(|(_, text)| text.lines().count())
    };
    assert_eq!(
        (
            lines("pairs.csv"),
            lines("lineups.csv"),
            lines("standings.csv")
        ),
        (Some(11_176), Some(11_176), Some(151))
    );
    let mut text = Vec::new();
    json::write(&mut text, &standings, &samples).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(value["pairs"].list().len(), 11_175);
    assert_eq!(
        value["ratings"]["fit"]["tested"].as_array().map(Vec::len),
        Some(150)
    );
}
