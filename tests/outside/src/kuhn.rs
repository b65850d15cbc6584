//! Kuhn poker: three cards, one bet (H. W. Kuhn, "A Simplified Two-Person Poker", 1950).
//!
//! Both players ante and get one of the three cards J, Q and K. The first player checks or bets.
//! The second player checks or bets after a check, and folds or calls after a bet. If the second
//! player bets, the first folds or calls. The higher card wins the pot. With ante and bet of 1, the
//! first player loses 1/18 per deal with best play. The players alternate in seat 0, which acts
//! first.

use crate::cfr::Small;
use crate::two::Block;
use hattari_plugin::games::features::{FeatureInfo, FeatureSink, FeatureValue, Features};
use hattari_plugin::games::frame::Meaning;
use hattari_plugin::games::scene::{Line, Offer, OwnCards, Scene, SceneSeat, Tableau, unless_zero};
use hattari_plugin::games::{Game, GameTypes, Move, chance};
use rand::Rng;
use serde::{Deserialize, Serialize};

/// Value for no card.
pub const NONE: u8 = 0xff;

hattari_plugin::codes! {
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

hattari_plugin::codes! {
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

hattari_plugin::frame! {
    /// An action of a seat.
    pub struct Action: "kuhn_action" {
        /// Kind of action.
        kind: u8 => Meaning::Code(&[("check", 0), ("bet", 1), ("fold", 2), ("call", 3)]),
    }
}

hattari_plugin::frame! {
    /// An event of the public history.
    pub struct Event: "kuhn_event" {
        /// Kind of event: an action, a shown card, or the win of the pot.
        kind: u8 => Meaning::Code(kind::NAMES),
        /// Seat of the event.
        seat: u8 => Meaning::Seat,
        /// Card shown; none for other kinds.
        card: u8 => Meaning::Card,
        /// Reserved; always 0.
        reserved: u8 => Meaning::Reserved,
        /// Chips put in, or chips won from the other player.
        amount: u32 => Meaning::Number,
    }
}

hattari_plugin::frame! {
    /// All information that a seat has now.
    pub struct View: "kuhn_view" {
        /// Size of this record in bytes.
        size: u32 => Meaning::Size,
        /// Number of finished deals of this block.
        deal: u32 => Meaning::Number,
        /// Planned number of deals of this block.
        deals: u32 => Meaning::Number,
        /// Ante of each player in chips.
        ante: u32 => Meaning::Number,
        /// Size of a bet in chips.
        bet: u32 => Meaning::Number,
        /// Your seat; seat 0 acts first.
        seat: u8 => Meaning::Seat,
        /// Actions so far.
        stage: u8 => Meaning::Code(stage::NAMES),
        /// Your card.
        card: u8 => Meaning::Card,
        /// Seats that have folded.
        folded: u8 => Meaning::Seats,
        /// Cards that were shown, by seat; none if not shown.
        shown: [u8; 2] => Meaning::Card,
        /// Player number of each seat.
        players: [u8; 2] => Meaning::Ordinal,
        /// Chips put in during this deal, by seat.
        paid: [u32; 2] => Meaning::Number,
        /// Chips won minus chips lost in this block before this deal, by seat.
        results: [i32; 2] => Meaning::Number,
    }
}

/// The options of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Chips that both players put in before the deal, 1 to 1000.
    pub ante: u32,
    /// Size of a bet in chips, 1 to 1000.
    pub bet: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { ante: 1, bet: 1 }
    }
}

/// A deal: the true state and its history.
#[derive(Clone, Debug)]
pub struct Deal {
    /// Cards by seat.
    cards: [u8; 2],
    players: [u8; 2],
    stage: u8,
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

    /// Returns the winner of a completed deal.
    fn winner(&self) -> u8 {
        match self.folded {
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
        let history = std::mem::take(&mut deal.history);
        *deal = Deal {
            cards,
            players,
            paid: [self.options.ante; 2],
            stage: stage::OPEN,
            history,
            ..self.new_deal()
        };
        deal.history.clear();
    }
}

impl GameTypes for Kuhn {
    const ID: &'static str = "kuhn/1";
    type View = View;
    type Event = Event;
    type Action = Action;

    fn card_name(card: u8) -> Option<&'static str> {
        ["J", "Q", "K"].get(usize::from(card)).copied()
    }
}

impl Game for Kuhn {
    type Options = Options;
    type Block = Block;
    type Deal = Deal;

    fn new(options: Options) -> Result<Kuhn, String> {
        match [("ante", options.ante), ("bet", options.bet)]
            .into_iter()
            .find(|(_, chips)| !(1..=1000).contains(chips))
        {
            Some((name, chips)) => Err(format!("{name} is {chips}, must be 1 to 1000")),
            None => Ok(Kuhn { options }),
        }
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

    fn block_deals(&self) -> u32 {
        100
    }

    fn worst_payoff(&self) -> i64 {
        -i64::from(self.options.ante + self.options.bet)
    }

    fn new_block(&self, _players: usize, deals: u32) -> Block {
        Block::new(deals)
    }

    fn new_deal(&self) -> Deal {
        Deal {
            cards: [0, 1],
            players: [0, 1],
            stage: stage::OVER,
            folded: 0,
            shown: [NONE; 2],
            paid: [0; 2],
            history: Vec::with_capacity(8),
        }
    }

    fn deal<R: Rng>(&self, block: &mut Block, random: &mut R, deal: &mut Deal) {
        let mut deck = [0, 1, 2];
        chance::shuffle(&mut deck, random);
        block.seat(random);
        self.begin(deal, [deck[0], deck[1]], block.players);
    }

    fn to_act(&self, deal: &Deal) -> Option<u8> {
        match deal.stage {
            stage::OPEN | stage::CHECK_BET => Some(0),
            stage::CHECKED | stage::BET => Some(1),
            _ => None,
        }
    }

    fn player_at(&self, deal: &Deal, seat: u8) -> usize {
        deal.players[usize::from(seat)].into()
    }

    fn legal(&self, deal: &Deal, actions: &mut Vec<Action>) {
        actions.clear();
        let faces_bet = matches!(deal.stage, stage::BET | stage::CHECK_BET);
        let kinds = if faces_bet {
            [kind::FOLD, kind::CALL]
        } else {
            [kind::CHECK, kind::BET]
        };
        actions.extend(kinds.map(|kind| Action { kind }));
    }

    fn view(&self, block: &Block, deal: &Deal, seat: u8, view: &mut View) {
        *view = View {
            size: VIEW_SIZE,
            deal: block.finished,
            deals: block.planned,
            ante: self.options.ante,
            bet: self.options.bet,
            seat,
            stage: deal.stage,
            card: deal.cards[usize::from(seat)],
            folded: deal.folded,
            shown: deal.shown,
            players: deal.players,
            paid: deal.paid,
            results: block.results(deal.players),
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
        let amount = if matches!(kind, kind::BET | kind::CALL) {
            self.options.bet
        } else {
            0
        };
        deal.paid[usize::from(seat)] += amount;
        deal.note(kind, seat, NONE, amount);
        deal.stage = match (deal.stage, kind) {
            (stage::OPEN, kind::CHECK) => stage::CHECKED,
            (stage::OPEN, _) => stage::BET,
            (stage::CHECKED, kind::BET) => stage::CHECK_BET,
            _ => stage::OVER,
        };
        if deal.stage != stage::OVER {
            return;
        }
        if kind == kind::FOLD {
            deal.folded = 1 << seat;
        } else {
            deal.shown = deal.cards;
            (0..2).for_each(|seat| deal.note(kind::SHOW, seat, deal.cards[usize::from(seat)], 0));
        }
        let winner = deal.winner();
        deal.note(kind::WIN, winner, NONE, deal.paid[usize::from(1 - winner)]);
    }

    fn resample<R: Rng>(&self, deal: &mut Deal, seat: u8, random: &mut R) {
        let other = usize::from(1 - seat);
        if deal.shown[other] == NONE && chance::below(random, 2) == 1 {
            deal.cards[other] = 3 - deal.cards[0] - deal.cards[1];
        }
    }

    fn origin(&self, start: &Deal, later: &Deal, _choices: &mut [Move<Action>]) -> Option<Deal> {
        let (cards, start) = (later.cards, start.clone());
        Some(Deal { cards, ..start })
    }

    fn finish(&self, block: &mut Block, deal: &Deal, payoffs: &mut [i64]) {
        let winner = usize::from(deal.winner());
        block.finish(deal.players, winner, deal.paid[1 - winner], payoffs);
    }

    fn features() -> Option<&'static dyn Features<Kuhn>> {
        Some(&KuhnFeatures)
    }

    fn scene(&self, view: &View) -> Scene {
        let place = |seat: u8| {
            let at = usize::from(seat);
            let (shown, is_out) = (view.shown[at], view.folded >> seat & 1 == 1);
            SceneSeat {
                player: view.players[at],
                role: if seat == 0 { "first" } else { "" }.to_owned(),
                held: u8::from(shown == NONE),
                open: if shown == NONE {
                    String::new()
                } else {
                    name(shown).to_owned()
                },
                facts: vec![
                    ("in the pot", view.paid[at].to_string()),
                    ("won before", unless_zero(view.results[at].into())),
                ],
                note: if is_out { "folded" } else { "" }.to_owned(),
                is_out,
            }
        };
        let hand = if view.shown[usize::from(view.seat & 1)] == NONE {
            name(view.card)
        } else {
            ""
        };
        let facts = vec![("pot", (view.paid[0] + view.paid[1]).to_string())];
        let table = Tableau {
            facts,
            piles: Vec::new(),
            places: vec![place(0), place(1)],
        };
        Scene {
            table,
            own: OwnCards {
                hand: hand.to_owned(),
                facts: Vec::new(),
            },
        }
    }

    fn line(&self, event: &Event) -> Line {
        let words = match event.kind {
            kind::CHECK => "checks".to_owned(),
            kind::BET => format!("bets {}", event.amount),
            kind::FOLD => "folds".to_owned(),
            kind::CALL => format!("calls {}", event.amount),
            kind::SHOW => format!("shows {}", name(event.card)),
            _ => format!("wins {}", event.amount),
        };
        Line::of(event.seat, words)
    }

    fn offer(&self, action: &Action) -> Offer {
        Offer::plain(
            ["Check", "Bet", "Fold", "Call"]
                .get(usize::from(action.kind))
                .copied()
                .unwrap_or("?"),
        )
    }
}

/// Features by which a review groups decisions: the card, the turn and the action.
struct KuhnFeatures;

impl Features<Kuhn> for KuhnFeatures {
    fn positions(&self) -> &'static [FeatureInfo] {
        &[
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
        ]
    }

    fn choices(&self) -> &'static [FeatureInfo] {
        &[("action", &["check", "bet", "fold", "call"])]
    }

    fn position(&self, view: &View, tell: &mut FeatureSink<'_>) {
        tell("card", FeatureValue::Word(name(view.card)));
        tell(
            "turn",
            FeatureValue::Word(match view.stage {
                stage::OPEN => "first",
                stage::CHECKED => "after a check",
                stage::BET => "after a bet",
                _ => "after check and bet",
            }),
        );
    }

    fn choice(&self, _: &View, choice: &Move<Action>, tell: &mut FeatureSink<'_>) {
        let action = usize::from(choice.action.kind);
        let words = ["check", "bet", "fold", "call"];
        tell(
            "action",
            FeatureValue::Word(words.get(action).copied().unwrap_or("?")),
        );
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
#[must_use]
pub fn situation(card: u8, stage: u8) -> u64 {
    u64::from(card) << 8 | u64::from(stage)
}

/// Value of [`View::size`].
const VIEW_SIZE: u32 = 44;
const _: () = assert!(size_of::<View>() == VIEW_SIZE as usize);

fn name(card: u8) -> &'static str {
    Kuhn::card_name(card).unwrap_or("?")
}
