//! Calls a script in one seat with daihinmin decisions made by tests.

use hattari::agent::script::{Script, ScriptLimits};
use hattari::agent::{Agent, AgentError, AgentFactory, BlockStart, Observation, Turn};
use hattari_plugin::games::daihinmin::{Action, Daihinmin, Event, View, card, kind};

/// Creates an agent from source text.
pub(super) fn open(source: &str) -> Box<dyn Agent> {
    open_with(source, ScriptLimits::default(), "{}")
}

/// Creates an agent from source text with limits and config.
pub(super) fn open_with(source: &str, limits: ScriptLimits, config: &str) -> Box<dyn Agent> {
    let script = Script::compile("test.lua", source.as_bytes())
        .unwrap_or_else(|agent_error| panic!("{}", agent_error.message));
    script
        .with_limits(limits)
        .open(config)
        .unwrap_or_else(|agent_error| panic!("{}", agent_error.message))
}

/// Starts a block for player 3 of 5.
pub(super) fn start(agent: &mut dyn Agent, seed: u64) -> Result<(), AgentError> {
    let options = r#"{"eight_cut": true, "points": [5, 4, 3, 2, 1]}"#;
    agent.block_start(&BlockStart {
        game: "daihinmin/1",
        options_json: options,
        players: 5,
        player: 2,
        deals: 9,
        seed,
    })
}

/// Creates an agent from source text and starts a block and a deal.
pub(super) fn seat(source: &str) -> Box<dyn Agent> {
    let mut agent = open(source);
    start(&mut *agent, 1).unwrap_or_else(|agent_error| panic!("{}", agent_error.message));
    begin(&mut *agent, &view());
    agent
}

/// Starts a deal.
pub(super) fn begin(agent: &mut dyn Agent, view: &View) {
    agent
        .deal_start(&Observation::of::<Daihinmin>(view, &[]))
        .unwrap();
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

/// Returns a view in the middle of a deal.
pub(super) fn view() -> View {
    let mut view: View = bytemuck::Zeroable::zeroed();
    view.seat = 2;
    view.phase = 1;
    view.table_seat = 0xff;
    view.hand = card::parse_set("S3 H7 D7 CQ JK").unwrap();
    view.gone = card::parse_set("S4 S5 S6").unwrap();
    view.cards_left = [5; 5];
    view.titles = [0xff; 5];
    view.places = [0xff, 0, 0xff, 0xff, 0xff];
    view.players = [4, 3, 2, 1, 0];
    view
}

/// Returns a single.
pub(super) fn single(name: &str) -> Action {
    let cell = card::parse(name).unwrap();
    Action {
        cards: 1 << cell,
        cells: 1 << cell,
        kind: kind::SINGLE,
        count: 1,
        column: card::column(cell),
        suits: 1 << card::suit(cell),
        ..Action::PASS
    }
}

/// Returns a pass and four singles.
pub(super) fn five() -> Vec<Action> {
    [
        vec![Action::PASS],
        ["S3", "H7", "D7", "CQ"].map(single).to_vec(),
    ]
    .concat()
}
