//! A seat of daihinmin with a decision of five actions, and bytes as a source of numbers.

use hattari::agent::{Agent, BlockStart, Misstep};
use hattari_plugin::abi;
use hattari_plugin::games::daihinmin::{Action, Event, View, card, kind};

/// Numbers out of the bytes of an input; zeros when they are used up.
pub struct Numbers<'a>(pub &'a [u8]);

impl Numbers<'_> {
    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }
}

/// Starts a block of player 3 of 5.
pub fn start(agent: &mut dyn Agent, options_json: &str) -> Result<(), Misstep> {
    agent.block_start(&BlockStart { game: "daihinmin/1", options_json, players: 5, player: 2, deals: 9, seed: 7 })
}

/// Starts a deal.
pub fn deal(agent: &mut dyn Agent) -> Result<(), Misstep> {
    let view = view();
    agent.deal_start(&abi::DealInfo {
        struct_size: abi::struct_size::<abi::DealInfo>(),
        view_size: abi::struct_size::<View>(),
        view: std::ptr::from_ref(&view).cast(),
        history: std::ptr::null(),
        history_count: 0,
        history_stride: abi::struct_size::<Event>(),
    })
}

/// Asks for a decision between a pass and four singles.
pub fn ask(agent: &mut dyn Agent) -> Result<abi::Choice, Misstep> {
    let (view, actions) = (view(), [Action::PASS, single("S3"), single("H7"), single("D7"), single("CQ")]);
    agent.act(&abi::Decision {
        struct_size: abi::struct_size::<abi::Decision>(),
        view_size: abi::struct_size::<View>(),
        view: std::ptr::from_ref(&view).cast(),
        history: std::ptr::null(),
        actions: actions.as_ptr().cast(),
        history_count: 0,
        history_stride: abi::struct_size::<Event>(),
        action_count: 5,
        action_stride: abi::struct_size::<Action>(),
        budget_us: 0,
    })
}

/// Ends the deal.
pub fn end(agent: &mut dyn Agent) -> Result<(), Misstep> {
    let (view, payoffs) = (view(), [5_i64, 4, 3, 2, 1]);
    agent.deal_end(&abi::DealResult {
        struct_size: abi::struct_size::<abi::DealResult>(),
        view_size: abi::struct_size::<View>(),
        view: std::ptr::from_ref(&view).cast(),
        history: std::ptr::null(),
        history_count: 0,
        history_stride: abi::struct_size::<Event>(),
        payoffs: payoffs.as_ptr(),
        payoff_count: 5,
        reserved: 0,
    })
}

/// What a host may say of a script's misstep: words, and not too many.
pub fn check(misstep: &Misstep) {
    assert!(!misstep.message.is_empty() && misstep.message.len() < 8192, "{misstep:?}");
}

fn view() -> View {
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

fn single(name: &str) -> Action {
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
