//! A tiny game and deterministic bots for tests of the host.

use crate::agent::backstop;
use crate::agent::{Agent, BlockStart, Misstep, Observation, Seatable, Turn};
use crate::record::FaultKind;
use hattari_plugin::Choice;
use hattari_plugin::games::scene::{self, Line, Offer, Own, Scene};
use hattari_plugin::games::{Game, GameTypes, Grant, chance, frame, frame::Meaning};
use rand::Rng;
use serde::{Deserialize, Serialize};

/// Everybody holds three of twelve cards and plays one; the highest scores the number of players,
/// the others their rank from below. Who won the last deal acts first in the next, so that
/// something persists within a block.
pub struct HighCard {
    options: HighOptions,
}

/// Switches of [`HighCard`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HighOptions {
    /// Low cards win.
    pub low: bool,
    /// Cards of the deck.
    pub cards: u32,
}

impl Default for HighOptions {
    fn default() -> Self {
        HighOptions {
            low: false,
            cards: 12,
        }
    }
}

frame! {
    /// What a seat sees.
    pub struct HighView: "highcard_view" {
        /// Own cards.
        hand: u64 => Meaning::Cards,
        /// Cards on the table.
        table: u64 => Meaning::Cards,
    }
}

frame! {
    /// A card was played, or may be.
    pub struct HighPlay: "highcard_play" {
        /// Who plays.
        seat: u32 => Meaning::Seat,
        /// What.
        card: u32 => Meaning::Card,
    }
}

/// A deal: cards by seat, and what was played.
#[derive(Clone)]
pub struct HighDeal {
    players: u32,
    first: u32,
    hands: [u64; 4],
    played: Vec<HighPlay>,
}

impl GameTypes for HighCard {
    const ID: &'static str = "highcard/1";
    type View = HighView;
    type Event = HighPlay;
    type Action = HighPlay;

    fn amounts(_: &HighPlay) -> Option<(i64, i64)> {
        None
    }
    fn card_name(_: u8) -> Option<&'static str> {
        None
    }
}

impl Game for HighCard {
    type Options = HighOptions;
    type Block = (usize, u32);
    type Deal = HighDeal;

    const GENERATION: u32 = 2;

    fn new(options: HighOptions) -> Result<Self, String> {
        if !(12..=64).contains(&options.cards) {
            return Err(format!(
                "a deck of {} cards cannot be dealt; it takes 12 to 64",
                options.cards
            ));
        }
        Ok(HighCard { options })
    }
    fn options(&self) -> &HighOptions {
        &self.options
    }
    fn preset(name: &str) -> Option<HighOptions> {
        match name {
            "high" => Some(HighOptions::default()),
            "low" => Some(HighOptions {
                low: true,
                ..HighOptions::default()
            }),
            _ => None,
        }
    }
    fn presets() -> &'static [&'static str] {
        &["high", "low"]
    }
    fn players() -> (usize, usize) {
        (2, 4)
    }
    fn block_deals(&self) -> u32 {
        20
    }
    fn worst_payoff(&self) -> i64 {
        1
    }
    fn new_block(&self, players: usize, _deals: u32) -> (usize, u32) {
        (players, 0)
    }
    fn new_deal(&self) -> HighDeal {
        HighDeal {
            players: 0,
            first: 0,
            hands: [0; 4],
            played: Vec::new(),
        }
    }
    fn deal<R: Rng>(&self, block: &mut (usize, u32), random: &mut R, deal: &mut HighDeal) {
        let mut deck: Vec<u64> = (0..u64::from(self.options.cards)).collect();
        chance::shuffle(&mut deck, random);
        deal.players = u32::try_from(block.0).unwrap();
        deal.first = block.1;
        deal.played.clear();
        for (hand, cards) in deal.hands.iter_mut().zip(deck.chunks(3)) {
            *hand = cards.iter().fold(0, |set, card| set | 1 << card);
        }
    }
    fn to_act(&self, deal: &HighDeal) -> Option<u8> {
        let played = u32::try_from(deal.played.len()).unwrap();
        (played < deal.players).then(|| u8::try_from((deal.first + played) % deal.players).unwrap())
    }
    fn player_at(&self, _deal: &HighDeal, seat: u8) -> usize {
        usize::from(seat)
    }
    fn seat_of(&self, _deal: &HighDeal, player: usize) -> u8 {
        u8::try_from(player).unwrap()
    }
    fn legal(&self, deal: &HighDeal, actions: &mut Vec<HighPlay>) {
        actions.clear();
        let seat = u32::from(self.to_act(deal).unwrap());
        let hand = deal.hands[seat as usize];
        actions.extend(
            (0..64)
                .filter(|card| hand >> card & 1 == 1)
                .map(|card| HighPlay { seat, card }),
        );
    }
    fn view(&self, _block: &(usize, u32), deal: &HighDeal, seat: u8, view: &mut HighView) {
        let table = deal.played.iter().fold(0, |set, play| set | 1 << play.card);
        *view = HighView {
            hand: deal.hands[usize::from(seat)],
            table,
        };
    }
    fn history<'a>(&self, deal: &'a HighDeal) -> &'a [HighPlay] {
        &deal.played
    }
    fn apply(&self, deal: &mut HighDeal, choice: Grant<HighPlay>) {
        deal.played.push(choice.action);
    }
    fn finish(&self, block: &mut (usize, u32), deal: &HighDeal, payoffs: &mut [i64]) {
        for play in &deal.played {
            let beaten = deal
                .played
                .iter()
                .filter(|other| (other.card < play.card) != self.options.low)
                .count();
            let beaten = if self.options.low { beaten - 1 } else { beaten };
            payoffs[play.seat as usize] = 1 + i64::try_from(beaten).unwrap();
            if beaten + 1 == payoffs.len() {
                block.1 = play.seat;
            }
        }
    }
    fn scene(&self, view: &HighView) -> Scene {
        let hand = scene::faces(
            (0..64)
                .filter(|card| view.hand >> card & 1 == 1)
                .map(|card: u64| card.to_string()),
        );
        Scene {
            own: Own {
                hand,
                facts: Vec::new(),
            },
            ..Scene::default()
        }
    }
    fn line(&self, event: &HighPlay) -> Line {
        Line::of(
            u8::try_from(event.seat).unwrap(),
            format!("plays {}", event.card),
        )
    }
    fn offer(&self, action: &HighPlay) -> Offer {
        Offer {
            words: format!("Play {}", action.card),
            faces: action.card.to_string(),
        }
    }
}

/// How a mock bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The first legal action.
    First,
    /// The last legal action.
    Last,
    /// By its own seed and the number of the decision, so that a state carried over would show.
    Random,
    /// Out of range at every third decision.
    Faulty,
    /// Loses its instance at every fifth call, whatever it is called for.
    Mortal,
    /// Is late once in some blocks, by its seed.
    Late,
    /// Is stopped by the backstop once in some blocks, by its seed.
    Overrun,
    /// Panics the host's thread at its first decision, as no hosted bot can.
    Bomb,
    /// Cannot be opened.
    Broken,
}

impl Style {
    /// The style of that name, `-` and what follows left out.
    pub fn named(name: &str) -> Style {
        match name.split('-').next().unwrap() {
            "first" => Style::First,
            "last" => Style::Last,
            "random" => Style::Random,
            "faulty" => Style::Faulty,
            "mortal" => Style::Mortal,
            "late" => Style::Late,
            "overrun" => Style::Overrun,
            "bomb" => Style::Bomb,
            "broken" => Style::Broken,
            other => panic!("no style {other}"),
        }
    }
}

/// A mock bot.
pub struct Mock(pub Style);

impl Seatable for Mock {
    fn open(&self, _config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        match self.0 {
            Style::Broken => Err(Misstep::new(FaultKind::Start, "it does not compile")),
            style => Ok(Box::new(Player {
                style,
                seed: 0,
                decisions: 0,
                calls: 0,
            })),
        }
    }

    fn has_backstop(&self) -> bool {
        self.0 == Style::Overrun
    }
}

struct Player {
    style: Style,
    seed: u64,
    decisions: u64,
    calls: u64,
}

impl Player {
    fn call(&mut self) -> Result<(), Misstep> {
        self.calls += 1;
        let dies = self.style == Style::Mortal && self.calls.is_multiple_of(5);
        if dies {
            Err(Misstep::new(
                FaultKind::Crash,
                format!("call {}", self.calls),
            ))
        } else {
            Ok(())
        }
    }
}

impl Agent for Player {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        (self.seed, self.decisions) = (start.seed, 0);
        self.call()
    }
    fn deal_start(&mut self, _seen: &Observation<'_>) -> Result<(), Misstep> {
        self.call()
    }
    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, Misstep> {
        self.call()?;
        self.decisions += 1;
        let is_bad = self.decisions == 4 && self.seed.is_multiple_of(3);
        if self.style == Style::Late && is_bad {
            return Err(Misstep::new(FaultKind::Time, "an hour"));
        }
        if self.style == Style::Overrun && is_bad {
            return Err(backstop::overrun(
                backstop::LIMIT,
                "in one decision",
                "steps",
            ));
        }
        let mixed = (self.seed ^ self.decisions).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        let action = match self.style {
            Style::First | Style::Broken | Style::Mortal | Style::Late | Style::Overrun => 0,
            Style::Last => turn.legal.count() - 1,
            Style::Random => u32::try_from(mixed % u64::from(turn.legal.count())).unwrap(),
            Style::Faulty if self.decisions.is_multiple_of(3) => turn.legal.count(),
            Style::Faulty => 0,
            Style::Bomb => panic!("the mock bomb went off"),
        };
        Ok((action as usize).into())
    }
    fn deal_end(&mut self, _seen: &Observation<'_>, _payoffs: &[i64]) -> Result<(), Misstep> {
        self.call()
    }
    fn block_end(&mut self) -> Result<(), Misstep> {
        self.call()
    }
}
