//! Calls a script in one seat with daihinmin decisions made by tests.

use crate::fuzz::bodies::seat;
pub(super) use crate::fuzz::bodies::seat::{five, single};
use hattari_agents::agent::script::{Script, ScriptLimits};
use hattari_agents::agent::{
    Agent, AgentError, AgentFactory, BlockStart, Notice, Observation, Turn,
};
use hattari_agents::record::{FaultKind, JobId, Record};
use hattari_agents::seeds::LineUpSeeds;
use hattari_agents::table::{BlockPlan, Table};
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::{Action, Daihinmin, Event, View, card};

/// Creates an agent from source text.
pub(super) fn open(source: &str) -> Box<dyn Agent> {
    open_with(source, ScriptLimits::default(), "{}")
}

/// Creates an agent from source text with limits and config.
pub(super) fn open_with(source: &str, limits: ScriptLimits, config: &str) -> Box<dyn Agent> {
    let script = Script::compile("test.lua", source.as_bytes()).unwrap();
    script.with_limits(limits).open(config).unwrap()
}

/// Starts a block for player 3 of 5.
pub(super) fn start(agent: &mut dyn Agent, seed: u64) -> Result<(), AgentError> {
    let options = r#"{"eight_cut": true, "points": [5, 4, 3, 2, 1]}"#;
    agent.notify(&Notice::BlockStart(BlockStart {
        game: "daihinmin/1",
        options_json: options,
        players: 5,
        player: 2,
        deals: 9,
        seed,
    }))
}

/// Creates an agent from source text and starts a block and a deal.
pub(super) fn seat(source: &str) -> Box<dyn Agent> {
    let mut agent = open(source);
    begin_block(&mut *agent, 1);
    agent
}

/// Starts a block with this seed, and a deal.
#[track_caller]
pub(super) fn begin_block(agent: &mut dyn Agent, seed: u64) {
    start(agent, seed).unwrap();
    begin(agent, &view());
}

/// Starts a deal.
pub(super) fn begin(agent: &mut dyn Agent, view: &View) {
    let seen = Observation::of::<Daihinmin>(view, &[]);
    agent.notify(&Notice::DealStart(seen)).unwrap();
}

/// Requests a decision. Returns the index from 0 and the amount.
pub(super) fn ask(
    agent: &mut dyn Agent,
    view: &View,
    history: &[Event],
    actions: &[Action],
) -> Result<(usize, i64), AgentError> {
    let turn = Turn::of::<Daihinmin>(view, history, actions);
    agent
        .act(&turn)
        .map(|choice| (choice.action, choice.amount))
}

/// Requests a decision among [`five`] actions without a history.
pub(super) fn ask_five(agent: &mut dyn Agent) -> Result<(usize, i64), AgentError> {
    ask(agent, &view(), &[], &five())
}

/// Returns the first line of the message of an error of a script.
#[track_caller]
pub(super) fn error_line(kind: FaultKind, message: &str) -> String {
    assert_eq!(kind, FaultKind::Error, "{message}");
    message.lines().next().unwrap_or_default().to_owned()
}

/// Asserts that the error of each source contains the words.
#[track_caller]
pub(super) fn check_errors(error_of: impl Fn(&str) -> String, cases: &[(&str, &str)]) {
    for (source, words) in cases {
        let message = error_of(source);
        assert!(message.contains(words), "{source}: {message}");
    }
}

/// Plays a block of a game with this seed. Returns its record.
pub(super) fn play_block<G: Game>(
    options: G::Options,
    plan: BlockPlan,
    (block, seed): (u32, u64),
    agents: &mut [Box<dyn Agent>],
) -> Record {
    let (game, job) = (G::new(options).unwrap(), JobId { line_up: 0, block });
    let played = Table::new(&game).play_block(job, plan, &LineUpSeeds::new(seed), agents, &mut ());
    let (record, _) = played.unwrap();
    record
}

/// Returns a record without faults: only deals, actions and scores.
pub(crate) fn played(record: &Record) -> Record {
    Record {
        faults: Vec::new(),
        fault_counts: vec![0; record.fault_counts.len()],
        ..record.clone()
    }
}

/// Returns a view in the middle of a deal, in which three cards have been played.
pub(super) fn view() -> View {
    View {
        gone: card::parse_set("S4 S5 S6").unwrap(),
        ..seat::view()
    }
}
