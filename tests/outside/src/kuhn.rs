//! Kuhn poker: three cards, one bet (H. W. Kuhn, "A Simplified Two-Person Poker", 1950).
//!
//! Both players ante and get one of the three cards J, Q and K. The first player checks or bets.
//! The second player checks or bets after a check, and folds or calls after a bet. If the second
//! player bets, the first folds or calls. The higher card wins the pot. With ante and bet of 1, the
//! first player loses 1/18 per deal with best play. The players alternate in seat 0, which acts
//! first.

use crate::cfr::Small;
use crate::two::{self, Block};
use hattari_plugin::games::features::{FeatureInfo, FeatureValue, Features};
use hattari_plugin::games::frame::Framed;
use hattari_plugin::games::scene::Scene;
use hattari_plugin::games::{Game, GameTypes, Move, chance, check_range};
use hattari_plugin::{blank, codes, frame, options};
use rand::Rng;

/// Value for no card.
pub const NONE: u8 = 0xff;

codes! {
    /// Kinds of action, and of event up to [`CALL`](kind::CALL).
    pub mod kind {
        /// Check.
        CHECK = 0,
        /// Bet.
        BET = 1,
        /// Fold.
        FOLD = 2,
        /// Call.
        CALL = 3,
        /// A seat shows its card; only as an event.
        SHOW = 4,
        /// A seat wins the pot; only as an event.
        WIN = 5,
    }
}

codes! {
    /// Actions so far, [`View::stage`].
    pub mod stage {
        /// No actions.
        OPEN = 0,
        /// The first player has checked.
        CHECKED = 1,
        /// The first player has bet.
        BET = 2,
        /// The first player has checked and the second has bet.
        CHECK_BET = 3,
        /// The deal is over.
        OVER = 4,
    }
}

frame! {
    /// An action of a seat.
    pub struct Action: "kuhn_action" {
        /// Kind of action.
        kind: u8 => Code(&[("check", 0), ("bet", 1), ("fold", 2), ("call", 3)]),
    }
}

frame! {
    /// An event of the public history.
    pub struct Event: "kuhn_event" {
        /// Kind of event: an action, a shown card, or the win of the pot.
        kind: u8 => Code(kind::NAMES),
        /// Seat of the event.
        seat: u8 => Seat,
        /// Card shown; none for other kinds.
        card: u8 => Card,
        /// Reserved; always 0.
        reserved: u8 => Reserved,
        /// Chips put in, or chips won from the other player.
        amount: u32,
    }
}

frame! {
    /// All information that a seat has now.
    pub struct View: "kuhn_view" {
        /// Size of this record in bytes.
        size: u32 => Size,
        /// Number of finished deals of this block.
        deal: u32,
        /// Planned number of deals of this block.
        deals: u32,
        /// Ante of each player in chips.
        ante: u32,
        /// Size of a bet in chips.
        bet: u32,
        /// Your seat; seat 0 acts first.
        seat: u8 => Seat,
        /// Actions so far.
        stage: u8 => Code(stage::NAMES),
        /// Your card.
        card: u8 => Card,
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
        /// Size of a bet in chips, 1 to 1000.
        pub bet: u32 = 1,
    }
}

/// A deal: the true state and its history.
#[derive(Clone, Debug)]
pub struct Deal {
    /// Cards by seat.
    cards: [u8; 2],
    /// View with the fields that are the same for both seats, except those of the block.
    public: View,
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

    /// Returns the winner of a completed deal.
    fn winner(&self) -> u8 {
        match self.public.folded {
            0 => u8::from(self.cards[1] > self.cards[0]),
            folded => u8::from(folded == 1),
        }
    }
}

/// The rules with their options.
#[derive(Clone, Debug)]
pub struct Kuhn {
    options: Options,
}

impl Kuhn {
    fn begin(&self, deal: &mut Deal, cards: [u8; 2], players: [u8; 2]) {
        let Options { ante, bet } = self.options;
        deal.cards = cards;
        deal.public = View {
            size: View::SIZE,
            ante,
            bet,
            shown: [NONE; 2],
            players,
            paid: [ante; 2],
            ..blank()
        };
        deal.history.clear();
    }
}

impl GameTypes for Kuhn {
    const ID: &'static str = "kuhn/1";
    const CARDS: &'static str = "J Q K";
    type View = View;
    type Event = Event;
    type Action = Action;
}

impl Game for Kuhn {
    type Options = Options;
    type Features = Self;
    type Memory = [u8; 2];
    type Deal = Deal;

    const LINES: &'static [&'static str] = &[
        "checks",
        "bets {amount}",
        "folds",
        "calls {amount}",
        "shows {card}",
        "wins {amount}",
    ];
    const OFFERS: &'static [&'static str] = &["Check", "Bet", "Fold", "Call"];

    fn new(options: Options) -> Result<Kuhn, String> {
        check_range("ante", options.ante, 1..=1000)?;
        check_range("bet", options.bet, 1..=1000)?;
        Ok(Kuhn { options })
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn rules() -> &'static str {
        include_str!("kuhn.md")
    }

    fn players() -> (usize, usize) {
        (2, 2)
    }

    fn score_unit() -> &'static str {
        "chips"
    }

    fn worst_payoff(&self) -> i64 {
        -i64::from(self.options.ante + self.options.bet)
    }

    fn memory(&self, _players: usize, _deals: u32) -> [u8; 2] {
        [0, 1]
    }

    fn new_deal(&self) -> Deal {
        Deal {
            cards: [0, 1],
            public: View {
                stage: stage::OVER,
                players: [0, 1],
                ..blank()
            },
            history: Vec::with_capacity(8),
        }
    }

    fn deal<R: Rng>(&self, block: &mut Block, random: &mut R, deal: &mut Deal) {
        let mut deck = [0, 1, 2];
        chance::shuffle(&mut deck, random);
        two::seat(block, random);
        self.begin(deal, [deck[0], deck[1]], block.memory);
    }

    fn to_act(&self, deal: &Deal) -> Option<u8> {
        match deal.public.stage {
            stage::OPEN | stage::CHECK_BET => Some(0),
            stage::CHECKED | stage::BET => Some(1),
            _ => None,
        }
    }

    fn player_at(&self, deal: &Deal, seat: u8) -> usize {
        deal.public.players[usize::from(seat)].into()
    }

    fn legal(&self, deal: &Deal, actions: &mut Vec<Action>) {
        actions.clear();
        let faces_bet = matches!(deal.public.stage, stage::BET | stage::CHECK_BET);
        let kinds = if faces_bet {
            [kind::FOLD, kind::CALL]
        } else {
            [kind::CHECK, kind::BET]
        };
        actions.extend(kinds.map(|kind| Action { kind }));
    }

    fn view(&self, block: &Block, deal: &Deal, seat: u8, view: &mut View) {
        *view = View {
            deal: block.finished,
            deals: block.planned,
            results: block.totals_of(deal.public.players),
            seat,
            card: deal.cards[usize::from(seat)],
            ..deal.public
        };
    }

    fn history<'a>(&self, deal: &'a Deal) -> &'a [Event] {
        &deal.history
    }

    fn apply(&self, deal: &mut Deal, choice: Move<Action>) {
        let Some(seat) = self.to_act(deal) else {
            return;
        };
        let kind = choice.action.kind;
        let is_paid = matches!(kind, kind::BET | kind::CALL);
        let amount = u32::from(is_paid) * self.options.bet;
        deal.note(kind, seat, NONE, amount);
        let public = &mut deal.public;
        public.paid[usize::from(seat)] += amount;
        public.stage = match (public.stage, kind) {
            (stage::OPEN, kind::CHECK) => stage::CHECKED,
            (stage::OPEN, _) => stage::BET,
            (stage::CHECKED, kind::BET) => stage::CHECK_BET,
            _ => stage::OVER,
        };
        if public.stage != stage::OVER {
            return;
        }
        if kind == kind::FOLD {
            public.folded = 1 << seat;
        } else {
            public.shown = deal.cards;
            (0..2).for_each(|seat| deal.note(kind::SHOW, seat, deal.cards[usize::from(seat)], 0));
        }
        let winner = deal.winner();
        let lost = deal.public.paid[usize::from(1 - winner)];
        deal.note(kind::WIN, winner, NONE, lost);
    }

    fn resample<R: Rng>(&self, deal: &mut Deal, seat: u8, random: &mut R) {
        let other = usize::from(1 - seat);
        if deal.public.shown[other] == NONE && chance::below(random, 2) == 1 {
            deal.cards[other] = 3 - deal.cards[0] - deal.cards[1];
        }
    }

    fn origin(&self, start: &Deal, later: &Deal, _choices: &mut [Move<Action>]) -> Option<Deal> {
        let (cards, start) = (later.cards, start.clone());
        Some(Deal { cards, ..start })
    }

    fn payoffs(&self, _block: &Block, deal: &Deal, payoffs: &mut [i64]) {
        let winner = usize::from(deal.winner());
        let View { players, paid, .. } = deal.public;
        two::payoffs(players, winner, paid[1 - winner], payoffs);
    }

    fn scene(&self, view: &View) -> Scene {
        let seats = two::Seats {
            players: view.players,
            paid: view.paid,
            results: view.results,
            folded: view.folded,
            shown: view.shown,
        };
        seats.scene::<Kuhn>(view.seat, view.card, Vec::new(), None)
    }
}

/// Features by which a review groups decisions: the card, the turn and the action.
impl Features<Kuhn> for Kuhn {
    const POSITIONS: &'static [FeatureInfo] = &[
        ("card", &["J", "Q", "K"]),
        (
            "turn",
            &[
                "first",
                "after a check",
                "after a bet",
                "after check and bet",
            ],
        ),
    ];
    const CHOICES: &'static [FeatureInfo] = &[("action", &["check", "bet", "fold", "call"])];
    fn position_values(view: &View) -> Vec<FeatureValue> {
        vec![view.card.into(), view.stage.into()]
    }

    fn choice_values(_: &View, choice: &Move<Action>) -> Vec<FeatureValue> {
        vec![choice.action.kind.into()]
    }
}

impl Small for Kuhn {
    fn deals(&self) -> Vec<Deal> {
        let pairs = (0..3).flat_map(|first| (0..3).map(move |second| [first, second]));
        let dealt = |cards| {
            let mut deal = self.new_deal();
            self.begin(&mut deal, cards, [0, 1]);
            deal
        };
        pairs
            .filter(|cards| cards[0] != cards[1])
            .map(dealt)
            .collect()
    }

    fn situation(view: &View, _: &[Event]) -> u64 {
        situation(view.card, view.stage)
    }
}

/// Returns the number of the situation with this card and stage, as in [`Small::situation`].
pub fn situation(card: u8, stage: u8) -> u64 {
    u64::from(card) << 8 | u64::from(stage)
}
