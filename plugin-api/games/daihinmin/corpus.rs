//! Replays recorded games and compares them with the rules.
//!
//! A record is one game of a match on the contest's server, as a JSON object. Arrays are indexed by
//! player; `seats` contains the player in each seat. A play that the server refused counts as a
//! pass.

use super::card::{self, CardSet};
use super::notation::{ParseError, find};
use super::{
    Action, Daihinmin, Deal, NONE, PLAYERS, Setup, Situation, check_play, event, flag, give, phase,
    strongest,
};
use crate::Game;
use serde::{Deserialize, Serialize, Serializer};

/// A recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusRecord {
    /// `true` if titles had just been reset, so there was no exchange.
    pub fresh: bool,
    /// Title of each player, 0 daifugo … 4 daihinmin; `None` in a fresh game.
    pub titles: Option<[u8; PLAYERS]>,
    /// Player in each seat.
    pub seats: [u8; PLAYERS],
    /// Hands before the exchange, except that the upper hands already contain the tribute.
    pub before: [Vec<String>; PLAYERS],
    /// Cards that the players with the two upper titles gave.
    pub given: [Option<Vec<String>>; PLAYERS],
    /// Hands at the first turn.
    pub hands: [Vec<String>; PLAYERS],
    /// All turns, including refused plays.
    pub turns: Vec<CorpusTurn>,
    /// Players in the order of places, the winner first.
    pub finish: Vec<u8>,
    /// For each player with cards left at the end, in the order of places: the number of these
    /// cards.
    #[serde(default)]
    pub left: Vec<u32>,
}

/// One turn of a recorded game; in JSON an array of the fields in this order.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CorpusTurn {
    /// Player to act.
    pub player: u8,
    /// Cards in the notation of [`super::notation`]; `-` for none.
    pub cards: String,
    /// Answer of the server: 9 accepted, 8 passed or refused; a pass on an empty table may have
    /// either.
    pub answer: u8,
    /// 1 if the table was empty before the turn, otherwise 0.
    pub empty: u8,
    /// 1 if suits were locked before the turn, otherwise 0.
    pub lock: u8,
    /// 1 if a revolution was in effect before the turn, otherwise 0.
    pub revolution: u8,
}

/// Serializes a turn as an array of its fields.
impl Serialize for CorpusTurn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let CorpusTurn {
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

/// Answer of the server to an accepted play.
pub(super) const ACCEPTED: u8 = 9;
/// Answer of the server to a pass and to a refused play.
pub(super) const PASSED: u8 = 8;

/// A difference between a record and the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Turn, from 1; `None` before the first and after the last turn.
    pub turn: Option<usize>,
    /// Description of the difference.
    pub what: String,
}

/// The result of replaying a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// Number of turns replayed; fewer than recorded if the replay stopped early.
    pub turns: usize,
    /// Number of replayed turns that were accepted plays.
    pub plays: usize,
    /// All differences, in the order in which they were found.
    pub mismatches: Vec<Mismatch>,
}

/// Replays a record. Minor differences (a flag, an answer) are noted. The replay stops if the rules
/// cannot continue: at the turn of another player or at an illegal play.
pub fn replay(rules: &Daihinmin, record: &CorpusRecord) -> Replay {
    replay_observed(rules, record, &mut |_, _, _| ())
}

/// Replays a record. Before each decision, including gifts, calls `decision` with the deal, the
/// legal actions and the recorded action. For a refused play, that action is a pass.
pub fn replay_observed(
    rules: &Daihinmin,
    record: &CorpusRecord,
    decision: &mut DecisionObserver,
) -> Replay {
    let mut replayer = Replayer {
        rules,
        record,
        deal: Deal::new(),
        legal: Vec::new(),
        replay: Replay::default(),
        decision,
    };
    // The reason for a stop is among the mismatches.
    let _stopped = replayer.run();
    replayer.replay
}

/// A callback that receives the deal, the legal actions and the action taken.
pub type DecisionObserver<'a> = dyn FnMut(&Deal, &[Action], &Action) + 'a;

/// An error that stops the replay. The last mismatch has the reason.
struct ReplayStopped;

struct Replayer<'a> {
    rules: &'a Daihinmin,
    record: &'a CorpusRecord,
    deal: Deal,
    legal: Vec<Action>,
    replay: Replay,
    decision: &'a mut DecisionObserver<'a>,
}

impl Replayer<'_> {
    fn run(&mut self) -> Result<(), ReplayStopped> {
        let (setup, hands) = self.setup()?;
        let mut block = self.rules.new_block(PLAYERS, 0);
        if let Err(wrong) = self.rules.start(&mut block, &setup, &mut self.deal) {
            return self.stop(None, wrong);
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

    /// Returns the deal before the exchange, and for each player the recorded hand after it.
    fn setup(&mut self) -> Result<(Setup, [CardSet; PLAYERS]), ReplayStopped> {
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
                "a fresh game must have no titles, and any other game must have titles",
            );
        }
        if record
            .seats
            .iter()
            .any(|&player| usize::from(player) >= PLAYERS)
        {
            return self.stop(None, "`seats` contains a player that is not 0 to 4");
        }
        let exchange = self.rules.options().exchange;
        if let Some(titles) = record.titles.filter(|_| exchange) {
            self.undo_tribute(titles, &mut before)?;
        }
        self.check_deal(&before)?;
        // The order drawn for a deadlock is known only from the result.
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

    /// Checks that the pack was dealt one card at a time around the table, starting with the
    /// daifugo if there is one.
    fn check_deal(&mut self, before: &[CardSet; PLAYERS]) -> Result<(), ReplayStopped> {
        let record = self.record;
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

    /// Removes the tribute from the hands of the upper titles, because records include it there.
    fn undo_tribute(
        &mut self,
        titles: [u8; PLAYERS],
        before: &mut [CardSet; PLAYERS],
    ) -> Result<(), ReplayStopped> {
        for (upper, lower, count) in [(0, 4, 2), (1, 3, 1)] {
            let player_with = |title| titles.iter().position(|&held| held == title);
            let (Some(upper), Some(lower)) = (player_with(upper), player_with(lower)) else {
                return self.stop(None, "the titles must be 0 to 4, each once");
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

    fn exchange(&mut self) -> Result<(), ReplayStopped> {
        while self.deal.phase == phase::EXCHANGE {
            let seat = self
                .rules
                .to_act(&self.deal)
                .expect("a seat chooses in the exchange");
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
            self.rules.apply(&mut self.deal, action.into());
        }
        Ok(())
    }

    fn turn(&mut self, number: usize, turn: &CorpusTurn) -> Result<(), ReplayStopped> {
        let at = Some(number);
        let Some(seat) = self.rules.to_act(&self.deal) else {
            return self.stop(
                at,
                "the record continues, but by the rules the game is over",
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
        self.rules.apply(&mut self.deal, action.into());
        Ok(())
    }

    /// Returns the action with which the game continues by the rules: the recorded play, or a pass.
    fn action(
        &mut self,
        at: Option<usize>,
        turn: &CorpusTurn,
        hand: CardSet,
        on: &Situation,
    ) -> Result<Action, ReplayStopped> {
        let cards = &turn.cards;
        let parsed: Result<Action, ParseError> = cards.parse();
        if matches!(parsed, Ok(action) if action.is_pass()) {
            // The contest's server answers a pass on an empty table as if it were a play.
            if turn.answer != PASSED && !(turn.answer == ACCEPTED && on.table.is_pass()) {
                self.note(
                    at,
                    format!("the answer to a pass is {}, not {PASSED}", turn.answer),
                );
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
                    Ok(action) => check_play(&action, hand, on)
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
            return self.note(None, "the record ends, but by the rules the game continues");
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
                    "the recorded finishing order is {:?}, but the rules give {finish:?}",
                    self.record.finish
                ),
            );
        }
        if !self.record.left.is_empty() && left != self.record.left {
            self.note(
                None,
                format!(
                    "the recorded numbers of cards left are {:?}, but the rules give {left:?}",
                    self.record.left
                ),
            );
        }
    }

    fn cards(&mut self, names: &[String]) -> Result<CardSet, ReplayStopped> {
        card::parse_set(&names.join(" ")).or_else(|wrong| self.stop(None, wrong))
    }

    fn note(&mut self, turn: Option<usize>, what: impl Into<String>) {
        let what = what.into();
        self.replay.mismatches.push(Mismatch { turn, what });
    }

    fn stop<T>(
        &mut self,
        turn: Option<usize>,
        what: impl Into<String>,
    ) -> Result<T, ReplayStopped> {
        self.note(turn, what);
        Err(ReplayStopped)
    }
}
