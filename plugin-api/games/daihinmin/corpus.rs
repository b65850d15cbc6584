//! Replay of recorded games through the rules. No reading of files here: records come in parsed.
//!
//! A record is one game of a match on the contest's server, as one JSON object. Everything in it is
//! by player number; `seats` says who sits where. What the server refused counts as a pass, as it
//! did there.

use super::card::{self, CardSet};
use super::notation::{ParseError, find};
use super::{
    Action, Block, Daihinmin, Deal, NONE, PLAYERS, Setup, Situation, event, flag, give, judge,
    phase, strongest,
};
use crate::{Game, Grant};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt::{self, Display, Formatter};

/// A recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Whether titles had just been reset: no exchange.
    pub fresh: bool,
    /// Title of each player coming in, 0 daifugo … 4 daihinmin; none in a fresh game.
    pub titles: Option<[u8; PLAYERS]>,
    /// Player in each seat.
    pub seats: [u8; PLAYERS],
    /// Hands as the start of the game showed them: with the tribute for the upper two, still with
    /// it for the lower two.
    pub before: [Vec<String>; PLAYERS],
    /// Cards that the upper two chose to give.
    pub given: [Option<Vec<String>>; PLAYERS],
    /// Hands at the first turn.
    pub hands: [Vec<String>; PLAYERS],
    /// Everything that was played or tried.
    pub turns: Vec<Turn>,
    /// Players in the order of their places.
    pub finish: Vec<u8>,
    /// Cards left at the end to those who still hold some, in the order of their places.
    #[serde(default)]
    pub left: Vec<u32>,
}

/// One turn of a recorded game; in JSON an array in this order.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Turn {
    /// The player whose turn it was.
    pub player: u8,
    /// The cards in the notation of [`super::notation`]; `-` for none.
    pub cards: String,
    /// The server's answer: 9 accepted, 8 passed or refused.
    pub answer: u8,
    /// Whether the table was empty before, 0 or 1.
    pub empty: u8,
    /// Whether suits were locked before, 0 or 1.
    pub lock: u8,
    /// Whether a revolution was on before, 0 or 1.
    pub revolution: u8,
}

/// In its order, without names.
impl Serialize for Turn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Turn {
            player,
            cards,
            answer,
            empty,
            lock,
            revolution,
        } = self;
        (player, cards, answer, empty, lock, revolution).serialize(serializer)
    }
}

/// The server's answer to a play that it takes.
const ACCEPTED: u8 = 9;
/// The server's answer to a pass, and to a play that it takes for one.
const PASSED: u8 = 8;

/// Where a record and the rules part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The turn, counted from 1; none before the first turn and after the last.
    pub turn: Option<usize>,
    /// What differs.
    pub what: String,
}

impl Display for Mismatch {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(turn) = self.turn {
            write!(f, "turn {turn}: ")?;
        }
        f.write_str(&self.what)
    }
}

/// What came of replaying one record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// Turns replayed; fewer than recorded where the game could not be followed to its end.
    pub turns: usize,
    /// Plays among them that were accepted.
    pub plays: usize,
    /// Everything that differs, in the order of the game.
    pub mismatches: Vec<Mismatch>,
}

/// Replays one record. Small differences (a flag, an answer) are noted and the game goes on; where
/// the rules cannot follow (another player's turn, a play that is not legal) the replay of this
/// game stops there.
#[must_use]
pub fn replay(rules: &Daihinmin, record: &Record) -> Replay {
    watch(rules, record, &mut |_, _, _| ())
}

/// As [`replay`], and shows every decision, gifts too, before it is carried out: the deal, what was
/// legal, and what was done. What the server refused is shown as the pass that it came to.
pub fn watch(rules: &Daihinmin, record: &Record, decision: &mut Decision) -> Replay {
    let mut table = Table {
        rules,
        record,
        deal: Deal::new(),
        legal: Vec::new(),
        replay: Replay::default(),
        decision,
    };
    // A stop has been noted among the mismatches.
    let _stopped = table.run();
    table.replay
}

/// What looks at decisions: the deal as it stood, the legal actions and the one taken.
pub type Decision<'a> = dyn FnMut(&Deal, &[Action], &Action) + 'a;

/// The replay stopped; why is among the mismatches.
struct Stop;

struct Table<'a> {
    rules: &'a Daihinmin,
    record: &'a Record,
    deal: Deal,
    legal: Vec<Action>,
    replay: Replay,
    decision: &'a mut Decision<'a>,
}

impl Table<'_> {
    fn run(&mut self) -> Result<(), Stop> {
        let (setup, hands) = self.setup()?;
        if let Err(wrong) = self.rules.start(&mut Block::new(0), &setup, &mut self.deal) {
            return self.stop(None, wrong.into());
        }
        self.exchange()?;
        for (player, &recorded) in hands.iter().enumerate() {
            let dealt = self.deal.hands()[usize::from(self.rules.seat_of(&self.deal, player))];
            if dealt != recorded {
                let (recorded, dealt) = (card::describe(recorded), card::describe(dealt));
                return self.stop(
                    None,
                    format!(
                        "player {player} has {recorded} at the first turn, but the rules give \
                         {dealt}"
                    ),
                );
            }
        }
        for (number, turn) in (1..).zip(&self.record.turns) {
            self.turn(number, turn)?;
        }
        self.end();
        Ok(())
    }

    /// The deal before the exchange, and the recorded hands after it, by player.
    fn setup(&mut self) -> Result<(Setup, [CardSet; PLAYERS]), Stop> {
        let record = self.record;
        let mut before = [0; PLAYERS];
        let mut hands = [0; PLAYERS];
        for player in 0..PLAYERS {
            before[player] = self.cards(&record.before[player])?;
            hands[player] = self.cards(&record.hands[player])?;
        }
        if record.fresh == record.titles.is_some() {
            return self.stop(
                None,
                "a fresh game must have no titles, and any other game must \
                 have titles"
                    .into(),
            );
        }
        if record
            .seats
            .iter()
            .any(|&player| usize::from(player) >= PLAYERS)
        {
            return self.stop(None, "`seats` contains a player that is not 0 to 4".into());
        }
        let exchange = self.rules.options().exchange;
        if let Some(titles) = record.titles.filter(|_| exchange) {
            self.undo_tribute(titles, &mut before)?;
        }
        self.check_deal(&before, record)?;
        // The places that the deadlock rule drew can only be read off the result.
        let seat_of = |player: &u8| record.seats.iter().position(|seated| seated == player);
        let mut deadlock_order = [0, 1, 2, 3, 4];
        let finished: Vec<u8> = record
            .finish
            .iter()
            .filter_map(|p| u8::try_from(seat_of(p)?).ok())
            .collect();
        if let Ok(order) = finished.try_into() {
            deadlock_order = order;
        }
        let by_seat =
            |hands: [CardSet; PLAYERS]| record.seats.map(|player| hands[usize::from(player)]);
        let titles = record.titles.map_or([NONE; PLAYERS], |titles| {
            record.seats.map(|p| titles[usize::from(p)])
        });
        Ok((
            Setup {
                players: record.seats,
                titles,
                hands: by_seat(before),
                deadlock_order,
            },
            hands,
        ))
    }

    /// The whole pack is dealt one card at a time round the table, to the daifugo first where there
    /// is one.
    fn check_deal(&mut self, before: &[CardSet; PLAYERS], record: &Record) -> Result<(), Stop> {
        let sizes = record
            .seats
            .map(|player| before[usize::from(player)].count_ones());
        let daifugo = record.titles.and_then(|titles| {
            record
                .seats
                .iter()
                .position(|&p| titles[usize::from(p)] == 0)
        });
        let dealt = |first: usize| {
            (0..PLAYERS)
                .all(|step| sizes[(first + step) % PLAYERS] == if step < 3 { 11 } else { 10 })
        };
        if !daifugo.map_or_else(|| (0..PLAYERS).any(dealt), dealt) {
            return self.stop(
                None,
                format!(
                    "the seats have been dealt {sizes:?} cards, which is impossible if cards \
                     are dealt one at a time"
                ),
            );
        }
        Ok(())
    }

    /// Takes the tribute out of the upper hands, which the record shows with it.
    fn undo_tribute(
        &mut self,
        titles: [u8; PLAYERS],
        before: &mut [CardSet; PLAYERS],
    ) -> Result<(), Stop> {
        for (upper, lower, count) in [(0, 4, 2), (1, 3, 1)] {
            let player_with = |title| titles.iter().position(|&held| held == title);
            let (Some(upper), Some(lower)) = (player_with(upper), player_with(lower)) else {
                return self.stop(None, "the titles are not 0 to 4, each once".into());
            };
            let tribute = strongest(before[lower], count);
            if before[upper] & before[lower] != tribute {
                let (taken, due) = (
                    card::describe(before[upper] & before[lower]),
                    card::describe(tribute),
                );
                return self.stop(
                    None,
                    format!(
                        "player {upper} got {taken} from player {lower}, but the rules give {due}"
                    ),
                );
            }
            before[upper] &= !tribute;
        }
        Ok(())
    }

    fn exchange(&mut self) -> Result<(), Stop> {
        while self.deal.phase == phase::EXCHANGE {
            let seat = self
                .rules
                .to_act(&self.deal)
                .expect("somebody chooses in the exchange");
            let player = self.rules.player_at(&self.deal, seat);
            let Some(names) = &self.record.given[player] else {
                return self.stop(
                    None,
                    format!("player {player} has to give cards, but none are recorded"),
                );
            };
            let action = give(self.cards(names)?);
            self.rules.legal(&self.deal, &mut self.legal);
            if find(&self.legal, &action).is_none() {
                return self.stop(None, format!("player {player} may not give {action}"));
            }
            (self.decision)(&self.deal, &self.legal, &action);
            self.rules
                .apply(&mut self.deal, Grant { action, amount: 0 });
        }
        Ok(())
    }

    fn turn(&mut self, number: usize, turn: &Turn) -> Result<(), Stop> {
        let at = Some(number);
        let Some(seat) = self.rules.to_act(&self.deal) else {
            return self.stop(
                at,
                "the record continues, but by the rules the game is over".into(),
            );
        };
        let player = self.rules.player_at(&self.deal, seat);
        if player != usize::from(turn.player) {
            return self.stop(
                at,
                format!(
                    "it is the turn of player {}, but by the rules it is the turn of player \
                     {player}",
                    turn.player
                ),
            );
        }
        self.replay.turns += 1;
        let situation = *self.deal.situation();
        for (name, recorded, ruled) in [
            (
                "table empty",
                turn.empty,
                u8::from(situation.table.is_pass()),
            ),
            ("lock", turn.lock, u8::from(situation.lock)),
            (
                "revolution",
                turn.revolution,
                u8::from(self.deal.position.flags & flag::REVOLUTION != 0),
            ),
        ] {
            if recorded != ruled {
                self.note(
                    at,
                    format!("{name}: recorded {recorded}, but by the rules {ruled}"),
                );
            }
        }
        let hand = self.deal.hands()[usize::from(seat)];
        self.rules.legal(&self.deal, &mut self.legal);
        let action = self.action(at, turn, hand, &situation)?;
        (self.decision)(&self.deal, &self.legal, &action);
        self.rules
            .apply(&mut self.deal, Grant { action, amount: 0 });
        Ok(())
    }

    /// What the turn comes to by the rules: the recorded play, or a pass.
    fn action(
        &mut self,
        at: Option<usize>,
        turn: &Turn,
        hand: CardSet,
        on: &Situation,
    ) -> Result<Action, Stop> {
        let cards = &turn.cards;
        let parsed: Result<Action, ParseError> = cards.parse();
        if matches!(parsed, Ok(action) if action.is_pass()) {
            if turn.answer != PASSED {
                self.note(at, format!("a pass has answer {}", turn.answer));
            }
            return Ok(Action::PASS);
        }
        let legal = parsed
            .as_ref()
            .ok()
            .and_then(|action| find(&self.legal, action))
            .copied();
        match (turn.answer, legal) {
            (ACCEPTED, Some(action)) => {
                self.replay.plays += 1;
                Ok(action)
            }
            (ACCEPTED, None) => {
                let reason = match parsed {
                    Ok(action) => judge(&action, hand, on)
                        .map_or_else(|why| why.to_string(), |_| "not generated".into()),
                    Err(why) => why.to_string(),
                };
                self.stop(
                    at,
                    format!("{cards} was accepted, but the rules refuse it: {reason}"),
                )
            }
            (PASSED, None) => Ok(Action::PASS),
            (PASSED, Some(_)) => {
                self.note(
                    at,
                    format!("{cards} was refused, but by the rules it is legal"),
                );
                Ok(Action::PASS)
            }
            (other, _) => self.stop(
                at,
                format!("the answer is {other}, neither {ACCEPTED} nor {PASSED}"),
            ),
        }
    }

    fn end(&mut self) {
        if self.rules.to_act(&self.deal).is_some() {
            return self.note(
                None,
                "the record ends, but by the rules the game goes on".into(),
            );
        }
        let deal = &self.deal;
        let seats = || {
            deal.history
                .iter()
                .filter(|event| event.kind == event::OUT)
                .map(|event| event.seat)
        };
        let finish: Vec<u8> = seats().map(|seat| deal.seats.player(seat)).collect();
        let left: Vec<u32> = seats()
            .map(|seat| u32::from(deal.seats.cards_left(seat)))
            .filter(|&n| n != 0)
            .collect();
        if finish != self.record.finish {
            self.note(
                None,
                format!(
                    "the finish is {:?}, but by the rules {finish:?}",
                    self.record.finish
                ),
            );
        }
        if !self.record.left.is_empty() && left != self.record.left {
            self.note(
                None,
                format!(
                    "the cards left are {:?}, but by the rules {left:?}",
                    self.record.left
                ),
            );
        }
    }

    fn cards(&mut self, names: &[String]) -> Result<CardSet, Stop> {
        card::parse_set(&names.join(" ")).or_else(|wrong| self.stop(None, wrong))
    }

    fn note(&mut self, turn: Option<usize>, what: String) {
        self.replay.mismatches.push(Mismatch { turn, what });
    }

    fn stop<T>(&mut self, turn: Option<usize>, what: String) -> Result<T, Stop> {
        self.note(turn, what);
        Err(Stop)
    }
}
