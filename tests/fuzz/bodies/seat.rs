//! A daihinmin seat with a decision of five actions, and bytes as a source of numbers.

use hattari_agents::agent::{Agent, AgentError, BlockStart, Notice, Observation, Turn};
use hattari_plugin::Choice;
use hattari_plugin::games::daihinmin::{Action, Daihinmin, View, card, kind};

/// Numbers from the bytes of an input; zeros after the end.
pub(crate) struct Numbers<'a>(pub &'a [u8]);

impl Numbers<'_> {
    /// Returns the next byte.
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        first
    }
}

/// Starts a block for player 3 of 5.
pub(crate) fn start(agent: &mut dyn Agent, options_json: &str) -> Result<(), AgentError> {
    agent.notify(&Notice::BlockStart(BlockStart {
        game: "daihinmin/1",
        options_json,
        players: 5,
        player: 2,
        deals: 9,
        seed: 7,
    }))
}

/// Starts a deal.
pub(crate) fn deal(agent: &mut dyn Agent) -> Result<(), AgentError> {
    let view = view();
    let seen = Observation::of::<Daihinmin>(&view, &[]);
    agent.notify(&Notice::DealStart(seen))
}

/// Requests a decision between a pass and four singles.
pub(crate) fn ask(agent: &mut dyn Agent) -> Result<Choice, AgentError> {
    agent.act(&Turn::of::<Daihinmin>(&view(), &[], &five()))
}

/// Ends the deal.
pub(crate) fn end(agent: &mut dyn Agent) -> Result<(), AgentError> {
    let view = view();
    let seen = Observation::of::<Daihinmin>(&view, &[]);
    agent.notify(&Notice::DealEnd(seen, &[5, 4, 3, 2, 1]))
}

/// Asserts that the error of a script has a text of reasonable length.
pub(crate) fn check(agent_error: &AgentError) {
    assert!(
        !agent_error.message.is_empty() && agent_error.message.len() < 8192,
        "{agent_error:?}"
    );
}

/// Returns a view in the middle of a deal.
pub(crate) fn view() -> View {
    let mut view: View = bytemuck::Zeroable::zeroed();
    view.seat = 2;
    view.phase = 1;
    view.table_seat = 0xff;
    view.hand = card::parse_set("S3 H7 D7 CQ JK").expect("these are cards");
    view.cards_left = [5; 5];
    view.titles = [0xff; 5];
    view.places = [0xff, 0, 0xff, 0xff, 0xff];
    view.players = [4, 3, 2, 1, 0];
    view
}

/// Returns a single.
pub(crate) fn single(name: &str) -> Action {
    let cell = card::parse(name).expect("this is a card");
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
pub(crate) fn five() -> Vec<Action> {
    let singles = ["S3", "H7", "D7", "CQ"].map(single);
    [&[Action::PASS], &singles[..]].concat()
}
