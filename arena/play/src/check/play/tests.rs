//! Tests of the played part of a check.

use super::*;
use crate::catalogue::{AgentSpec, Catalogue, SearchPath};
use crate::check::Finding;
use crate::mock::{Mock, Style, has};
use hattari_agents::{games, table};
use std::path::Path;

fn plan(time: Duration) -> CheckPlan {
    CheckPlan {
        game: "holdem/1".to_owned(),
        preset: None,
        config_json: "{}".to_owned(),
        blocks: 1,
        deals: None,
        time,
        budget_us: 0,
        spec: AgentSpec::default(),
        seed: 1,
    }
}

/// Checks a script. Returns the findings that are errors.
fn errors(script: &str, plan: &CheckPlan) -> Vec<Finding> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.lua");
    std::fs::write(&file, script).unwrap();
    let bot = Catalogue::discover(&SearchPath::default())
        .find(&plan.game, file.to_str().unwrap(), Path::new(""))
        .unwrap();
    let mut findings = super::super::check(&bot, plan, &|_| {}).unwrap().findings;
    findings.retain(|finding| finding.verdict == Grade::Wrong);
    findings
}

#[test]
fn faults_before_the_measured_games_are_reported() {
    let plan = plan(Duration::ZERO);
    for (script, words) in [
        (
            "return { act = function(view) assert(view.players ~= 5, 'five players') \
            return 1 end }",
            ["with 5 players, deal 0, ", "five players"],
        ),
        (
            "local n = 0 return { deal_start = function() n += 1 end, act = function() \
            assert(n < 2, 'second deal') return 1 end }",
            ["against itself, deal 1, ", "second deal"],
        ),
    ] {
        let errors = errors(script, &plan);
        let [error] = &errors[..] else {
            panic!("{errors:?}");
        };
        assert_eq!(error.point, "first deals");
        words.iter().for_each(|words| has(&error.text, words));
    }
}

#[test]
fn a_fault_that_also_occurs_in_the_measured_games_is_listed_once() {
    let script = "return { act = function() error('always', 0) end }";
    let errors = errors(script, &plan(Duration::ZERO));
    let listed = errors.iter().filter(|error| error.text.contains("always"));
    assert_eq!(listed.count(), 1, "{errors:?}");
}

fn game(plan: &CheckPlan) -> Box<dyn AnyGame> {
    let facts = games::named(&plan.game).unwrap();
    let rules = facts.apply_overrides(facts.presets[0], &[]).unwrap();
    table::game(facts.id, &rules.options).unwrap()
}

fn run<'a>(game: &'a dyn AnyGame, plan: &'a CheckPlan) -> CheckRun<'a> {
    CheckRun {
        game,
        factory: &Mock(Style::First),
        plan,
        line_ups: line_ups(game.players()),
        deals: PILOT_DEALS,
        budget_us: 0,
        start_time: Arc::default(),
        allowance: Arc::new(TimeAllowance::new(plan)),
    }
}

#[test]
fn the_start_of_a_block_does_not_count_as_time_of_its_deals() {
    let plan = plan(Duration::from_secs(1));
    let game = game(&plan);
    let mut run = run(&*game, &plan);
    // Starts that have taken longer than all the rest.
    let before = Duration::from_secs(3600);
    run.start_time = Arc::new(Mutex::new(before));
    run.play_pilot(&|_| {}).unwrap();
    assert!(before < *lock(&run.start_time), "starts are counted");
    assert!(PILOT_DEALS < run.deals, "{} deals", run.deals);
}

#[test]
fn a_slow_bot_without_faults_gets_a_warning() {
    let plan = plan(Duration::ZERO);
    let game = game(&plan);
    let mut run = run(&*game, &plan);
    run.allowance = Arc::new(TimeAllowance::with_bound(Duration::ZERO));
    let mut end = run.play_pilot(&|_| {}).unwrap_err();
    let grade = |end: &AgentError| grade_end(&run.allowance, end) == Grade::Warning;
    assert!(grade(&end), "{}", end.message);
    end.message = format!("block 0: error\n{}", end.message);
    assert!(!grade(&end), "it has a fault");
}

#[test]
fn the_end_of_a_check_is_not_a_fault_of_the_bot() {
    let job = JobId {
        line_up: 0,
        block: 2,
    };
    let mut record = Record::new(job, 2);
    let mut add = |kind, message: &str| {
        record.faults.push(Fault {
            entrant: 0,
            kind,
            deal: 7,
            decision: 3,
            message: message.to_owned(),
        });
        first_fault(&record)
    };
    assert_eq!(add(FaultKind::Crash, CHECK_ENDED), "");
    assert_eq!(
        add(FaultKind::Error, "mine.lua:3: no"),
        "block 2, deal 7, decision 3: error: mine.lua:3: no\n"
    );
}
