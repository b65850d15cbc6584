//! A table with one seat: shows a script decisions of daihinmin that the test makes up.

use hattari::agent::script::{Limits, Script};
use hattari::agent::{Agent, BlockStart, Misstep, Seatable};
use hattari_plugin::abi;
use hattari_plugin::games::daihinmin::{Action, Event, View, card, kind};

/// An agent from source text.
pub fn open(source: &str) -> Box<dyn Agent> {
    open_with(source, Limits::default(), "{}")
}

/// An agent from source text with limits and config.
pub fn open_with(source: &str, limits: Limits, config: &str) -> Box<dyn Agent> {
    let script = Script::compile("test.lua", source.as_bytes()).unwrap_or_else(|misstep| panic!("{}", misstep.message));
    script.with_limits(limits).open(config).unwrap_or_else(|misstep| panic!("{}", misstep.message))
}

/// Starts a block for player 3 of 5.
pub fn start(agent: &mut dyn Agent, seed: u64) -> Result<(), Misstep> {
    let options = r#"{"eight_cut": true, "points": [5, 4, 3, 2, 1]}"#;
    agent.block_start(&BlockStart { game: "daihinmin/1", options_json: options, players: 5, player: 2, deals: 9, seed })
}

/// A started agent from source text, with a deal.
pub fn seat(source: &str) -> Box<dyn Agent> {
    let mut agent = open(source);
    start(&mut *agent, 1).unwrap_or_else(|misstep| panic!("{}", misstep.message));
    begin(&mut *agent, &view());
    agent
}

/// Starts a deal.
pub fn begin(agent: &mut dyn Agent, view: &View) {
    let start = abi::DealInfo {
        struct_size: abi::struct_size::<abi::DealInfo>(),
        view_size: abi::struct_size::<View>(),
        view: std::ptr::from_ref(view).cast(),
        history: std::ptr::null(),
        history_count: 0,
        history_stride: abi::struct_size::<Event>(),
    };
    agent.deal_start(&start).unwrap();
}

/// Asks for a decision: index from 0 and amount.
pub fn ask(agent: &mut dyn Agent, view: &View, history: &[Event], actions: &[Action]) -> Result<(u32, i64), Misstep> {
    let decision = abi::Decision {
        struct_size: 0,
        view_size: u32::try_from(size_of::<View>()).unwrap(),
        view: std::ptr::from_ref(view).cast(),
        history: history.as_ptr().cast(),
        actions: actions.as_ptr().cast(),
        history_count: u32::try_from(history.len()).unwrap(),
        history_stride: u32::try_from(size_of::<Event>()).unwrap(),
        action_count: u32::try_from(actions.len()).unwrap(),
        action_stride: u32::try_from(size_of::<Action>()).unwrap(),
        budget_us: 0,
    };
    agent.act(&decision).map(|choice| (choice.action, choice.amount))
}

/// A view in the middle of a deal.
pub fn view() -> View {
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

/// A single.
pub fn single(name: &str) -> Action {
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

/// A pass and four singles.
pub fn five() -> Vec<Action> {
    [vec![Action::PASS], ["S3", "H7", "D7", "CQ"].map(single).to_vec()].concat()
}
