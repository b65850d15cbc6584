//! Leduc hold'em: six cards, two rounds of betting (F. Southey and others, "Bayes' Bluff: Opponent
//! Modelling in Poker", 2005).
//!
//! The pack has two suits of J, Q and K. Both players ante and get one card. After a round of
//! betting, a public card is dealt, followed by a second round. A player with the rank of the
//! public card wins, otherwise the higher rank; equal ranks split the pot. Bets and raises have a
//! fixed size, 2 in the first round and 4 in the second, and there are at most two of them per
//! round. Seat 0 acts first in both rounds, and the players alternate in it. All cards are
//! determined before the first decision.

use crate::cfr::Small;
use crate::two::{self, Block};
use hattari_plugin::games::frame::Framed;
use hattari_plugin::games::scene::{Line, Pile, Scene};
use hattari_plugin::games::{Game, GameTypes, Move, chance, check_range, default_line};
use hattari_plugin::{codes, frame, options};
use rand::Rng;

/// No card.
pub const NONE: u8 = 0xff;
/// Number of cards in the pack. Card n has rank n / 2 (J, Q, K) and one of two suits.
pub const CARDS: u8 = 6;

codes! {
    /// Kinds of action, and of event up to [`RAISE`](kind::RAISE).
    pub mod kind {
        /// Check.
        CHECK = 0,
        /// Fold.
        FOLD = 1,
        /// Call.
        CALL = 2,
        /// Raise or bet.
        RAISE = 3,
        /// A card is turned up on the table; only as an event.
        TURN = 4,
        /// A seat shows its card; only as an event.
        SHOW = 5,
        /// A seat wins the pot or gets its own chips back; only as an event.
        WIN = 6,
    }
}

frame! {
    /// An action of a seat.
    pub struct Action: "leduc_action" {
        /// Kind of action.
        kind: u8 => Code(&[("check", 0), ("fold", 1), ("call", 2), ("raise", 3)]),
        /// Reserved; always 0.
        reserved: [u8; 3] => Reserved,
        /// Chips to put in.
        amount: u32,
    }
}

frame! {
    /// An event of the public history.
    pub struct Event: "leduc_event" {
        /// Kind of event: an action, a card turned up, a shown card, or a win.
        kind: u8 => Code(kind::NAMES),
        /// Seat of the event; none for a card turned up.
        seat: u8 => Seat,
        /// Card turned up or shown; none for other kinds.
        card: u8 => Card,
        /// Reserved; always 0.
        reserved: u8 => Reserved,
        /// Chips put in, or chips won from the other player; 0 if the pot is split.
        amount: u32,
    }
}

frame! {
    /// All information that a seat has now.
    pub struct View: "leduc_view" {
        /// Size of this record in bytes.
        size: u32 => Size,
        /// Number of finished deals of this block.
        deal: u32,
        /// Planned number of deals of this block.
        deals: u32,
        /// Size of a raise in this round in chips.
        raise: u32,
        /// Chips to put in for a call.
        to_call: u32,
        /// Your seat; seat 0 acts first.
        seat: u8 => Seat,
        /// Betting round.
        round: u8 => Code(&[("first", 0), ("second", 1)]),
        /// 1 if the deal is over.
        over: u8 => Flag,
        /// Number of raises in this round.
        raises: u8,
        /// Maximum number of raises per round.
        raises_max: u8,
        /// Your card.
        card: u8 => Card,
        /// Public card on the table; none in the first round.
        public: u8 => Card,
        /// Seats that have folded.
        folded: u8 => Seats,
        /// Cards that were shown, by seat; none if not shown.
        shown: [u8; 2] => Card,
        /// Player number of each seat.
        players: [u8; 2] => Ordinal,
        /// Chips put in during this deal, by seat.
        paid: [u32; 2],
        /// Chips won minus chips lost in this block before this deal, by seat.
        results: [i32; 2],
    }
}

options! {
    /// The options of the rules.
    pub struct Options {
        /// Chips that both players put in before the deal, 1 to 1000.
        pub ante: u32 = 1,
        /// Size of a raise in each round in chips, 1 to 1000.
        pub raise: [u32; 2] = [2, 4],
        /// Maximum number of raises per round, 1 to 8.
        pub raises: u8 = 2,
    }
}

/// A deal: the true state and its history.
#[derive(Clone, Debug)]
pub struct Deal {
    /// Cards of the seats, and the public card.
    cards: [u8; 3],
    players: [u8; 2],
    round: u8,
    raises: u8,
    /// Seats that have acted in this round.
    acted: u8,
    to_act: u8,
    folded: u8,
    shown: [u8; 2],
    paid: [u32; 2],
    history: Vec<Event>,
}

impl Deal {
    fn note(&mut self, kind: u8, seat: u8, card: u8, amount: u32) {
        self.history.push(Event {
            kind,
            seat,
            card,
            reserved: 0,
            amount,
        });
    }

    fn is_over(&self) -> bool {
        self.to_act == NONE
    }

    /// Returns the public card as all players see it.
    fn public(&self) -> u8 {
        if self.round == 0 { NONE } else { self.cards[2] }
    }

    /// Returns the winner of a completed deal, or `None` if the pot is split.
    fn winner(&self) -> Option<u8> {
        if self.folded != 0 {
            return Some(u8::from(self.folded == 1));
        }
        let strength = |seat: usize| {
            let rank = self.cards[seat] / 2;
            if rank == self.cards[2] / 2 { 3 } else { rank }
        };
        let (first, second) = (strength(0), strength(1));
        (first != second).then_some(u8::from(second > first))
    }
}

/// The rules with their options.
#[derive(Clone, Debug)]
pub struct Leduc {
    options: Options,
}

impl Leduc {
    fn begin(&self, deal: &mut Deal, cards: [u8; 3], players: [u8; 2]) {
        let history = std::mem::take(&mut deal.history);
        *deal = Deal {
            cards,
            players,
            paid: [self.options.ante; 2],
            to_act: 0,
            history,
            ..self.new_deal()
        };
        deal.history.clear();
    }

    fn close(deal: &mut Deal) {
        deal.to_act = NONE;
        if deal.folded == 0 {
            deal.shown = [deal.cards[0], deal.cards[1]];
            (0..2).for_each(|seat| deal.note(kind::SHOW, seat, deal.cards[usize::from(seat)], 0));
        }
        match deal.winner() {
            Some(seat) => deal.note(kind::WIN, seat, NONE, deal.paid[usize::from(1 - seat)]),
            None => (0..2).for_each(|seat| deal.note(kind::WIN, seat, NONE, 0)),
        }
    }
}

impl GameTypes for Leduc {
    const ID: &'static str = "leduc/1";
    type View = View;
    type Event = Event;
    type Action = Action;
    const CARDS: &'static str = "Js Jh Qs Qh Ks Kh";
}

impl Game for Leduc {
    type Options = Options;
    type Features = ();
    type Memory = [u8; 2];
    type Deal = Deal;

    const LINES: &'static [&'static str] = &[
        "checks",
        "folds",
        "calls {amount}",
        "raises with {amount}",
        "{card} is turned up",
        "shows {card}",
        "wins {amount}",
    ];
    const OFFERS: &'static [&'static str] =
        &["Check", "Fold", "Call {amount}", "Raise with {amount}"];

    fn new(options: Options) -> Result<Leduc, String> {
        check_range("ante", options.ante, 1..=1000)?;
        check_range("raise", options.raise[0], 1..=1000)?;
        check_range("raise", options.raise[1], 1..=1000)?;
        check_range("raises", options.raises, 1..=8)?;
        Ok(Leduc { options })
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn rules() -> &'static str {
        include_str!("leduc.md")
    }

    fn players() -> (usize, usize) {
        (2, 2)
    }

    fn score_unit() -> &'static str {
        "chips"
    }

    fn worst_payoff(&self) -> i64 {
        let Options {
            ante,
            raise,
            raises,
        } = self.options;
        -i64::from(ante + u32::from(raises) * (raise[0] + raise[1]))
    }

    fn memory(&self, _players: usize, _deals: u32) -> [u8; 2] {
        [0, 1]
    }

    fn new_deal(&self) -> Deal {
        Deal {
            cards: [0, 2, 4],
            players: [0, 1],
            round: 0,
            raises: 0,
            acted: 0,
            to_act: NONE,
            folded: 0,
            shown: [NONE; 2],
            paid: [0; 2],
            history: Vec::with_capacity(24),
        }
    }

    fn deal<R: Rng>(&self, block: &mut Block, random: &mut R, deal: &mut Deal) {
        let mut deck = [0, 1, 2, 3, 4, 5];
        chance::shuffle(&mut deck, random);
        two::seat(block, random);
        self.begin(deal, [deck[0], deck[1], deck[2]], block.memory);
    }

    fn to_act(&self, deal: &Deal) -> Option<u8> {
        (!deal.is_over()).then_some(deal.to_act)
    }

    fn player_at(&self, deal: &Deal, seat: u8) -> usize {
        deal.players[usize::from(seat)].into()
    }

    fn legal(&self, deal: &Deal, actions: &mut Vec<Action>) {
        actions.clear();
        let seat = usize::from(deal.to_act & 1);
        let to_call = deal.paid[1 - seat] - deal.paid[seat];
        let mut offer = |kind: u8, amount| {
            actions.push(Action {
                kind,
                reserved: [0; 3],
                amount,
            })
        };
        if to_call == 0 {
            offer(kind::CHECK, 0);
        } else {
            offer(kind::FOLD, 0);
            offer(kind::CALL, to_call);
        }
        if deal.raises < self.options.raises {
            offer(
                kind::RAISE,
                to_call + self.options.raise[usize::from(deal.round)],
            );
        }
    }

    fn view(&self, block: &Block, deal: &Deal, seat: u8, view: &mut View) {
        let at = usize::from(seat);
        *view = View {
            size: View::SIZE,
            deal: block.finished,
            deals: block.planned,
            raise: self.options.raise[usize::from(deal.round)],
            to_call: if deal.is_over() {
                0
            } else {
                deal.paid[1 - at].saturating_sub(deal.paid[at])
            },
            seat,
            round: deal.round,
            over: deal.is_over().into(),
            raises: deal.raises,
            raises_max: self.options.raises,
            card: deal.cards[at],
            public: deal.public(),
            folded: deal.folded,
            shown: deal.shown,
            players: deal.players,
            paid: deal.paid,
            results: block.totals_of(deal.players),
        };
    }

    fn history<'a>(&self, deal: &'a Deal) -> &'a [Event] {
        &deal.history
    }

    fn apply(&self, deal: &mut Deal, choice: Move<Action>) {
        if deal.is_over() {
            return;
        }
        let (seat, kind, amount) = (deal.to_act, choice.action.kind, choice.action.amount);
        deal.paid[usize::from(seat)] += amount;
        deal.acted |= 1 << seat;
        deal.note(kind, seat, NONE, amount);
        match kind {
            kind::FOLD => {
                deal.folded = 1 << seat;
                return Leduc::close(deal);
            }
            kind::RAISE => {
                deal.raises += 1;
                deal.acted = 1 << seat;
            }
            _ => {}
        }
        if deal.acted != 0b11 {
            deal.to_act = 1 - seat;
            return;
        }
        if deal.round == 1 {
            return Leduc::close(deal);
        }
        (deal.round, deal.raises, deal.acted, deal.to_act) = (1, 0, 0, 0);
        deal.note(kind::TURN, NONE, deal.cards[2], 0);
    }

    fn resample<R: Rng>(&self, deal: &mut Deal, seat: u8, random: &mut R) {
        let (own, other) = (deal.cards[usize::from(seat)], usize::from(1 - seat));
        let is_unseen =
            |card: &u8| *card != own && *card != deal.public() && !deal.shown.contains(card);
        let mut unseen: Vec<u8> = (0..CARDS).filter(is_unseen).collect();
        chance::shuffle(&mut unseen, random);
        if deal.shown[other] == NONE {
            deal.cards[other] = unseen.pop().unwrap_or(NONE);
        }
        if deal.round == 0 {
            deal.cards[2] = unseen.pop().unwrap_or(NONE);
        }
    }

    fn origin(&self, start: &Deal, later: &Deal, _choices: &mut [Move<Action>]) -> Option<Deal> {
        let (cards, start) = (later.cards, start.clone());
        Some(Deal { cards, ..start })
    }

    fn payoffs(&self, _block: &Block, deal: &Deal, payoffs: &mut [i64]) {
        let seat = usize::from(deal.winner().unwrap_or(0));
        let chips = if deal.winner().is_some() {
            deal.paid[1 - seat]
        } else {
            0
        };
        two::payoffs(deal.players, seat, chips, payoffs);
    }

    fn scene(&self, view: &View) -> Scene {
        let round = match (view.over, view.round) {
            (1, _) => "over",
            (_, 0) => "first",
            _ => "second",
        };
        let pile = (view.public != NONE).then(|| Pile {
            name: "table",
            seat: None,
            faces: Leduc::faces([view.public]),
        });
        let seats = two::Seats {
            players: view.players,
            paid: view.paid,
            results: view.results,
            folded: view.folded,
            shown: view.shown,
        };
        let facts = vec![("round", round.to_owned())];
        seats.scene::<Leduc>(view.seat, view.card, facts, pile)
    }

    fn line(&self, event: &Event) -> Line {
        match (event.kind, event.amount) {
            (kind::WIN, 0) => Line::of(event.seat, "splits the pot"),
            _ => default_line::<Leduc>(event),
        }
    }
}

impl Small for Leduc {
    fn deals(&self) -> Vec<Deal> {
        let cards = || 0..CARDS;
        let orders = cards().flat_map(|first| {
            cards().flat_map(move |second| cards().map(move |table| [first, second, table]))
        });
        let is_deal =
            |[first, second, table]: &[u8; 3]| first != second && second != table && first != table;
        let dealt = |cards| {
            let mut deal = self.new_deal();
            self.begin(&mut deal, cards, [0, 1]);
            deal
        };
        orders.filter(is_deal).map(dealt).collect()
    }

    /// Suits do not matter, so the ranks of the two cards and the history determine the situation.
    fn situation(view: &View, history: &[Event]) -> u64 {
        let public = if view.public == NONE {
            3
        } else {
            view.public / 2
        };
        // The leading bit distinguishes a longer history from another card.
        let cards = u64::from(16 + view.card / 2 * 4 + public);
        history
            .iter()
            .fold(cards, |code, event| code << 3 | (1 + u64::from(event.kind)))
    }
}
