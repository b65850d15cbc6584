//! Whether reports keep their promises: many simulated leagues whose deals depend on each other as daihinmin's do, through
//! the same samples, standings and stopping rules that real leagues go through. Seeded: the same counts everywhere.

use hattari::league::League;
use hattari::record::{JobId, Record, Timing};
use hattari::samples::{Collector, Samples};
use hattari::schedule::Schedule;
use hattari::standings::{About, Settings, Standings, VerdictKind, standings};
use hattari::stopping::Stopping;
use hattari_stats::sequential::Decision;
use hattari_stats::{Correction, Rng};

/// Correlation of a bot's score with that of its next deal, about what ranks do in daihinmin.
const LAG_ONE: f64 = 0.45;

fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.uniform()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.uniform()).cos()
}

/// A block: every bot's form starts afresh and fades from deal to deal; scores are hundredths, `lead` is the first bot's.
fn block(rng: &mut Rng, job: JobId, bots: usize, deals: u32, lead: f64) -> Record {
    let innovation = (1.0 - LAG_ONE * LAG_ONE).sqrt();
    let mut form: Vec<f64> = (0..bots).map(|_| normal(rng)).collect();
    let mut record = Record::new(job, bots);
    let mut before: Option<Vec<i64>> = None;
    for _ in 0..deals {
        #[expect(clippy::cast_possible_truncation, reason = "a few hundred")]
        let score = |(bot, form): (usize, &f64)| (100.0 * (form + if bot == 0 { lead } else { 0.0 })).round() as i64;
        let payoffs: Vec<i64> = form.iter().enumerate().map(score).collect();
        record.add_deal(&payoffs, before.as_deref());
        before = Some(payoffs);
        form.iter_mut().for_each(|form| *form = LAG_ONE * *form + innovation * normal(rng));
    }
    record
}

fn played(rng: &mut Rng, bots: usize, blocks: u32, deals: u32, lead: f64) -> Samples {
    let names = (0..bots).map(|bot| format!("bot-{bot}")).collect();
    let mut collector = Collector::new(names, &[(0..bots).collect()]);
    for number in 0..blocks {
        collector.add(&block(rng, JobId { line_up: 0, block: number }, bots, deals, lead)).unwrap();
    }
    collector.finish(&Timing::default()).unwrap()
}

fn report(samples: &Samples) -> Standings {
    let settings = Settings { confidence: 0.95, correction: Correction::Holm, power: 0.8, score_ratio: false };
    standings(samples, About::default(), settings, None, None).unwrap()
}

/// Fails unless the share of hits is within the limits, in percent.
#[track_caller]
fn assert_percent(hits: usize, of: usize, low: f64, high: f64) {
    let percent = 100.0 * hits as f64 / of as f64;
    assert!((low..=high).contains(&percent), "{hits} of {of} are {percent:.2} %, not {low} to {high}");
}

#[test]
fn intervals_cover_and_dependence_is_seen() {
    let (leagues, lead) = (800, 0.2);
    let mut rng = Rng::new(71);
    let (mut by_t, mut by_robust, mut by_deal, mut correlation, mut effect) = (0, 0, 0, 0.0, 0.0);
    for _ in 0..leagues {
        let found = report(&played(&mut rng, 2, 14, 30, lead));
        let pair = &found.pairs[0];
        let truth = if pair.a == "bot-0" { 100.0 * lead } else { -100.0 * lead };
        let holds = |low: f64, high: f64| usize::from(low <= truth && truth <= high);
        let test = pair.pooled.tested().unwrap();
        by_t += holds(test.low, test.high);
        let robust = pair.checks.cluster_robust.tested().unwrap();
        by_robust += holds(robust.low, robust.high);
        let single = pair.line_ups[0].by_deal.tested().unwrap();
        by_deal += holds(single.low, single.high);
        effect += pair.checks.design_effect.tested().unwrap() / leagues as f64;
        correlation += found.bots[0].dependence.tested().unwrap().lag1 / leagues as f64;
    }
    assert_percent(by_t, leagues, 93.0, 97.0);
    assert_percent(by_robust, leagues, 93.0, 97.0);
    assert_percent(by_deal, leagues, 0.0, 85.0);
    assert!((correlation - LAG_ONE).abs() < 0.05, "{correlation}");
    // (1 + r) / (1 - r) is 2.64 for endless blocks.
    assert!((2.2..2.8).contains(&effect), "{effect}");
}

#[test]
fn level_bots_are_seldom_told_apart() {
    let leagues = 1200;
    let mut rng = Rng::new(72);
    let (mut verdicts, mut flips, mut robust) = (0, 0, 0);
    for _ in 0..leagues {
        let found = report(&played(&mut rng, 3, 12, 10, 0.0));
        // Any false claim counts: p is adjusted over the three pairs.
        let claims = |kind| matches!(kind, VerdictKind::Ahead | VerdictKind::Behind);
        verdicts += usize::from(found.pairs.iter().any(|pair| claims(pair.verdict.kind)));
        // A pair picked by its names, not by how it came out.
        let named = found.pairs.iter().find(|pair| pair.a != "bot-2" && pair.b != "bot-2").unwrap();
        let named = &named.checks;
        flips += usize::from(named.permutation.tested().unwrap().p <= 0.05);
        robust += usize::from(named.cluster_robust.tested().unwrap().p <= 0.05);
    }
    assert_percent(verdicts, leagues, 1.0, 6.0);
    assert_percent(flips, leagues, 3.0, 6.0);
    assert_percent(robust, leagues, 3.0, 6.0);
}

/// Leagues of three level bots at one table under `rule`, looked at after every block: how many decide anything.
fn false_decisions(rule: &serde_json::Value, seed: u64, leagues: usize, blocks: u32) -> usize {
    let entrant = |name: &str| serde_json::json!({"name": name, "bot": name, "config": {}});
    let league = serde_json::json!({
        "game": "daihinmin", "preset": "uecda", "options": {}, "seed": 7, "blocks": blocks, "deals": 10,
        "entrants": (["a", "b", "c"].map(entrant)), "format": {"kind": "line-ups", "size": 3}, "duplicate": false,
        "faults": "substitute", "budget": {}, "sequential": {"rule": rule},
        "report": {"confidence": 0.95, "correction": "holm", "published": null},
    });
    let league: League = serde_json::from_value(league).unwrap();
    let schedule = Schedule::of(&league);
    let mut rng = Rng::new(seed);
    let mut wrong = 0;
    for _ in 0..leagues {
        let mut stopping = Stopping::of(&league, &schedule).unwrap();
        for number in 0..blocks {
            stopping.add(&block(&mut rng, JobId { line_up: 0, block: number }, 3, 10, 0.0));
        }
        let decided =
            |one: &hattari::stopping::Followed| !matches!(one.decision, Decision::Continue | Decision::AcceptH0);
        wrong += usize::from(stopping.comparisons().iter().any(decided));
    }
    wrong
}

#[test]
fn sequential_rules_survive_a_look_after_every_block() {
    let sequence = serde_json::json!({"rule": "confidence_sequence"});
    assert_percent(false_decisions(&sequence, 73, 400, 120), 400, 0.0, 6.0);
    // Scores lie within six deviations of the mean, so block means do.
    let betting = serde_json::json!({"rule": "betting", "low": -1200.0, "high": 1200.0, "grid": 3});
    assert_percent(false_decisions(&betting, 74, 400, 120), 400, 0.0, 6.0);
    // A block mean of ten deals differs by about 60 points from another's.
    let sprt = serde_json::json!({
        "rule": "sprt", "model": {"normal": {"sd": null}}, "h0": 0.0, "h1": 40.0, "alpha": 0.05, "beta": 0.05,
    });
    assert_percent(false_decisions(&sprt, 75, 400, 120), 400, 0.0, 6.0);
}

#[test]
fn nine_blocks_and_no_variance_tell_nothing() {
    let mut rng = Rng::new(76);
    let few = report(&played(&mut rng, 2, 9, 10, 5.0));
    assert_eq!(few.pairs[0].verdict.kind, VerdictKind::CannotTell);
    assert_eq!(few.pairs[0].verdict.text, "cannot tell: too few blocks (9, 10 needed)");
    let mut collector = Collector::new(vec!["a".into(), "b".into()], &[vec![0, 1]]);
    for number in 0..30 {
        let mut record = Record::new(JobId { line_up: 0, block: number }, 2);
        record.add_deal(&[3, 3], None);
        collector.add(&record).unwrap();
    }
    let flat = report(&collector.finish(&Timing::default()).unwrap());
    assert_eq!(flat.pairs[0].verdict.text, "cannot tell: every block gave the same score, nothing varies");
}
