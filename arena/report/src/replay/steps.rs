//! Games step by step, with table, hands and texts after every choice, so that a page can show them
//! without knowing the rules.

use super::game::{self, ChanceLine, OutputLine, Replay};
use super::sentences::{TablePlayers, capital, payoff_sentence, public_text, seat_names, sentence};
use super::state::{patch, state};
use hattari_agents::agent::{Call, CallResult, numbers, output};
use hattari_agents::record::JobId;
use hattari_agents::table::{AnyGame, BlockObserver, Decider, Position, TakenAction};
use hattari_plugin::games::ChanceEvent;
use hattari_plugin::games::scene::Scene;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::mem;
use std::ops::Range;
use std::time::Instant;

/// A game step by step, with all data that a page needs to show it.
#[derive(Clone, Debug, Serialize)]
pub struct GameSteps {
    /// Number of the game in its block, from 0.
    pub game: u32,
    /// Names by seat. If a bot has several seats, the seat number is appended to its name.
    pub names: Vec<String>,
    /// Line-up positions by seat.
    pub entrants: Vec<usize>,
    /// The state before the first choice, with all hands.
    pub start: Value,
    /// Sentences about the events before the first choice.
    pub text: Vec<String>,
    /// The choices in order.
    pub steps: Vec<StepMove>,
    /// Payoffs by seat.
    pub payoffs: Vec<i64>,
    /// Sentences about luck for viewers who may see all hands. The key is the number of choices
    /// made before the chance event.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub luck: BTreeMap<usize, Vec<String>>,
}

/// A game for a page.
#[derive(Clone, Debug, Serialize)]
pub struct PickedGame {
    /// Number of the line-up.
    pub line_up: u32,
    /// Number of the block.
    pub block: u32,
    /// Names of the entrants, in the order of the line-up.
    pub table: Vec<String>,
    /// Size of the swing in points.
    pub swing: f64,
    /// The reason for showing the game, as text.
    pub why: String,
    /// Steps of the game, with the table and the hands after each choice.
    #[serde(flatten)]
    pub steps: GameSteps,
}

/// A choice and its effects.
#[derive(Clone, Debug, Serialize)]
pub struct StepMove {
    /// Number of the seat that chose, from 0. Texts for readers number seats from 1.
    #[serde(rename = "by")]
    pub seat: u8,
    /// Public sentences about the choice.
    pub text: Vec<String>,
    /// Sentence about a hidden choice. The key is the number of the only seat that may see it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[serde(rename = "told")]
    pub private_text: BTreeMap<u8, String>,
    /// The change of the state, as a JSON merge patch.
    pub patch: Value,
}

/// The games of a block that a [`GameRecorder`] keeps.
pub(crate) enum WantedGames<'a> {
    /// A single game.
    Game {
        /// Number of the game.
        number: u32,
        /// `true` to play the block to its end; `false` to stop after the game.
        whole: bool,
    },
    /// The games with the largest swings.
    Swings {
        /// Number of games to keep.
        count: usize,
        /// Average payoffs per game, by line-up position; missing values count as 0.
        means: &'a [f64],
        /// Time at which play stops.
        until: Instant,
    },
}

/// The largest difference between two players in a game, measured in payoffs minus average payoffs.
#[derive(Debug, Default, PartialEq)]
struct Swing {
    /// Size in points; not negative.
    points: f64,
    /// The seat that gained most, relative to its average payoff.
    up: usize,
    /// The seat that lost most, relative to its average payoff.
    down: usize,
}

/// Returns the largest swing between two seats of a game. `payoffs` and the average payoffs `means`
/// are by seat.
fn swing(payoffs: &[i64], means: &[f64]) -> Swing {
    let above = |seat: usize| payoffs[seat] as f64 - means.get(seat).copied().unwrap_or(0.0);
    let (mut up, mut down) = (0, 0);
    for seat in 0..payoffs.len() {
        if above(up) < above(seat) {
            up = seat;
        }
        if above(seat) < above(down) {
            down = seat;
        }
    }
    if up == down {
        return Swing::default();
    }
    Swing {
        points: above(up) - above(down),
        up,
        down,
    }
}

/// An observer that keeps games of a block.
pub(crate) struct GameRecorder<'a> {
    game: &'a dyn AnyGame,
    job: JobId,
    names: &'a [String],
    wanted: WantedGames<'a>,
    /// The kept games, the largest swing first.
    pub kept: Vec<PickedGame>,
    /// The game as text, if a single game is wanted ([`WantedGames::Game`]).
    pub replay: Replay,
    /// Number of finished games.
    pub games: u32,
    /// The seat of each player.
    seats: Vec<u8>,
    /// Concatenated views of all players, in order, before the first choice and after each choice.
    views: Vec<u8>,
    /// The public record so far, as concatenated events.
    history: Vec<u8>,
    /// Number of events in `history`.
    events: usize,
    moves: Vec<PendingChoice>,
    /// Number of events before the first choice.
    opening: usize,
    /// Seat to act before the first choice.
    turn: Option<u8>,
    is_wanted: bool,
    /// Lines that bots printed since the last choice, with the names of the bots.
    said: Vec<String>,
    /// Chance events with the luck of each player.
    chances: Vec<ChanceLine>,
}

/// A choice of the current game.
struct PendingChoice {
    seat: u8,
    decider: Decider,
    /// Number of events in the record after the choice.
    end: usize,
    turn: Option<u8>,
    action: Vec<u8>,
    /// Lines printed before the choice, with the names of the bots.
    said: Vec<String>,
}

impl<'a> GameRecorder<'a> {
    /// Creates a recorder of the block `job`; `names` are by line-up position.
    pub(crate) fn new(
        game: &'a dyn AnyGame,
        job: JobId,
        names: &'a [String],
        wanted: WantedGames<'a>,
    ) -> Self {
        GameRecorder {
            game,
            job,
            names,
            wanted,
            kept: Vec::new(),
            replay: Replay::default(),
            games: 0,
            seats: Vec::new(),
            views: Vec::new(),
            history: Vec::new(),
            events: 0,
            moves: Vec::new(),
            opening: 0,
            turn: None,
            is_wanted: false,
            said: Vec::new(),
            chances: Vec::new(),
        }
    }

    /// Returns `true` if the current game is also recorded as text.
    fn is_for_text(&self) -> bool {
        self.is_wanted && matches!(self.wanted, WantedGames::Game { .. })
    }

    fn record_position(&mut self, position: &dyn Position) {
        // The views are in the order of players, whose seats do not change within a game.
        self.seats
            .iter()
            .for_each(|&seat| position.view(seat, &mut self.views));
        for event in self.events..position.events() {
            self.history.extend_from_slice(position.event(event));
        }
        self.events = position.events();
    }

    /// Returns the recorded events with these indices.
    fn lines(&self, range: Range<usize>) -> impl Iterator<Item = &[u8]> {
        let size = self.history.len() / self.events.max(1);
        range.map(move |event| &self.history[event * size..(event + 1) * size])
    }

    /// Returns the game that has just ended; payoffs and entrants are by seat.
    fn steps(&self, payoffs: Vec<i64>, entrants: Vec<usize>) -> GameSteps {
        let game = self.game;
        let names: Vec<&str> = entrants
            .iter()
            .map(|&entrant| self.names[entrant].as_str())
            .collect();
        let names = seat_names(&names);
        let table_players = TablePlayers {
            names: &names,
            reader: None,
        };
        let start = state(&self.scenes(0), self.turn);
        let mut before = start.clone();
        let (mut steps, mut from) = (Vec::new(), self.opening);
        for (number, choice) in self.moves.iter().enumerate() {
            let after = state(&self.scenes(number + 1), choice.turn);
            let seat = choice.seat;
            // A choice without a public event is hidden from the others.
            let mut private_text = BTreeMap::new();
            if from == choice.end {
                let words = game.offer(&choice.action).words;
                private_text.insert(seat, format!("{}: {words}", names[usize::from(seat)]));
            }
            let public = public_text(
                game,
                seat,
                choice.decider,
                self.lines(from..choice.end),
                table_players,
            );
            let text = [choice.said.as_slice(), &public].concat();
            steps.push(StepMove {
                seat,
                text,
                private_text,
                patch: patch(&before, &after),
            });
            (before, from) = (after, choice.end);
        }
        let mut text: Vec<String> = self
            .lines(0..self.opening)
            .map(|event| sentence(&game.line(event), table_players))
            .collect();
        let end = payoff_sentence(&names, &payoffs, game.score_unit());
        steps
            .last_mut()
            .map_or(&mut text, |step| &mut step.text)
            .push(end);
        GameSteps {
            game: self.games,
            luck: self.luck_lines(&names),
            names,
            entrants,
            start,
            text,
            steps,
            payoffs,
        }
    }

    /// Returns the reason for showing a game, as text.
    fn why(&self, swing: Swing, steps: &GameSteps) -> String {
        let beyond = match self.wanted {
            WantedGames::Swings { means, .. } if means.iter().any(|mean| *mean != 0.0) => {
                " more than their average difference"
            }
            _ => "",
        };
        let payoff = |seat: usize| format!("{} {}", steps.names[seat], steps.payoffs[seat]);
        format!(
            "{}, {}: {:.1} {}{beyond}",
            payoff(swing.up),
            payoff(swing.down),
            swing.points,
            self.game.score_unit()
        )
    }

    /// Returns the seats with their scenes after `number` choices, by player.
    fn scenes(&self, number: usize) -> Vec<(u8, Scene)> {
        let players = self.seats.len();
        let size = self.views.len() / (players * (self.moves.len() + 1)).max(1);
        let views = self.views[number * players * size..].chunks_exact(size);
        self.seats
            .iter()
            .zip(views)
            .map(|(&seat, view)| (seat, self.game.scene(view)))
            .collect()
    }

    /// Returns the chance events as text, by the number of choices before them. `names` are by
    /// seat.
    fn luck_lines(&self, names: &[String]) -> BTreeMap<usize, Vec<String>> {
        let mut lines: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for chance in &self.chances {
            let players = self
                .seats
                .iter()
                .map(|&seat| names[usize::from(seat)].as_str());
            lines
                .entry(chance.before)
                .or_default()
                .push(capital(&chance.text(players)));
        }
        lines
    }

    /// Returns the player in each seat.
    fn by_seat(&self) -> Vec<usize> {
        let mut players = vec![0; self.seats.len()];
        for (player, &seat) in self.seats.iter().enumerate() {
            players[usize::from(seat)] = player;
        }
        players
    }
}

impl BlockObserver for GameRecorder<'_> {
    fn dealt(&mut self, position: &dyn Position, entrants: &[usize]) {
        self.is_wanted = match self.wanted {
            WantedGames::Game { number, .. } => number == self.games,
            WantedGames::Swings { .. } => true,
        };
        if self.is_wanted {
            self.views.clear();
            self.history.clear();
            self.events = 0;
            self.moves.clear();
            self.said.clear();
            self.chances.clear();
            self.seats = (0..entrants.len())
                .map(|player| position.seat_of(player))
                .collect();
            self.opening = position.events();
            self.turn = position.to_act();
            self.record_position(position);
        }
        if self.is_for_text() {
            self.replay.entrants = entrants.to_vec();
            self.replay.dealt = position.describe();
        }
    }

    fn answered(&mut self, entrant: usize, _call: Call, _answer: CallResult<'_>) {
        let lines = output::take();
        if self.is_for_text() {
            let before = self.moves.len();
            let said = lines.iter().map(|line| OutputLine {
                entrant,
                before,
                line: line.clone(),
            });
            self.replay.said.extend(said);
        }
        // Lines printed before the first game of a block are ignored.
        if self.is_wanted {
            self.said.extend(
                lines
                    .into_iter()
                    .map(|line| format!("{} prints: {line}", self.names[entrant])),
            );
        }
    }

    fn acted(&mut self, position: &dyn Position, taken: &TakenAction<'_>) {
        let logged = match taken.decider {
            Decider::Bot => numbers::of_last_decision(),
            Decider::Forced | Decider::Rule => Vec::new(),
        };
        if self.is_wanted && !logged.is_empty() {
            let (name, logged) = (&self.names[taken.entrant], numbers::as_text(&logged));
            self.said.push(format!("{name} logs: {logged}"));
        }
        if self.is_for_text() {
            let events = taken.events.clone();
            self.replay.moves.push(game::ReplayMove {
                seat: taken.seat,
                entrant: taken.entrant,
                decider: taken.decider,
                decision: taken.decision,
                choice: taken.choice(),
                events: events
                    .map(|event| position.game().line(position.event(event)).to_string())
                    .collect(),
                after: taken.events.is_empty().then(|| position.describe()),
                numbers: logged.into_iter().collect(),
            });
        }
        if self.is_wanted {
            let (end, turn) = (position.events(), position.to_act());
            let (action, said) = (taken.action.to_vec(), mem::take(&mut self.said));
            self.moves.push(PendingChoice {
                seat: taken.seat,
                decider: taken.decider,
                end,
                turn,
                action,
                said,
            });
            self.record_position(position);
        }
    }

    fn chanced(&mut self, event: ChanceEvent<'_>) {
        if self.is_wanted {
            let ends: Vec<usize> = std::iter::once(self.opening)
                .chain(self.moves.iter().map(|choice| choice.end))
                .collect();
            self.chances.push(ChanceLine::of(
                event,
                self.game.chances()[event.kind],
                &ends,
            ));
        }
    }

    fn ended(&mut self, payoffs: &[i64], entrants: &[usize]) {
        if self.is_for_text() {
            self.replay.payoffs = payoffs.to_vec();
            self.replay.luck.clone_from(&self.chances);
        }
        if self.is_wanted {
            let by_seat = self.by_seat();
            let payoffs: Vec<i64> = by_seat.iter().map(|&player| payoffs[player]).collect();
            let entrants: Vec<usize> = by_seat.iter().map(|&player| entrants[player]).collect();
            let (capacity, means) = match self.wanted {
                WantedGames::Game { .. } => (1, Vec::new()),
                WantedGames::Swings { count, means, .. } => (
                    count,
                    entrants
                        .iter()
                        .map(|&entrant| means.get(entrant).copied().unwrap_or(0.0))
                        .collect(),
                ),
            };
            let swing = swing(&payoffs, &means);
            let place = self
                .kept
                .iter()
                .position(|kept| kept.swing < swing.points)
                .unwrap_or(self.kept.len());
            if place < capacity {
                let steps = self.steps(payoffs, entrants);
                let game = PickedGame {
                    line_up: self.job.line_up,
                    block: self.job.block,
                    table: self.names.to_vec(),
                    swing: swing.points,
                    why: self.why(swing, &steps),
                    steps,
                };
                self.kept.insert(place, game);
                self.kept.truncate(capacity);
            }
        }
        self.games += 1;
    }

    fn has_seen_enough(&self) -> bool {
        match self.wanted {
            WantedGames::Game { number, whole } => !whole && number < self.games,
            WantedGames::Swings { until, .. } => until <= Instant::now(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swing_is_the_largest_relative_change_between_two_seats() {
        // The third seat is far below its average, the second above.
        let result = swing(&[5, 4, 1], &[4.5, 1.5, 4.0]);
        assert_eq!((result.up, result.down), (1, 2));
        assert!((result.points - 5.5).abs() < 1e-12);
        assert_eq!(
            swing(&[5, 4, 1], &[]),
            Swing {
                points: 4.0,
                up: 0,
                down: 2
            }
        );
        assert_eq!(swing(&[3, 3], &[0.0, 0.0]), Swing::default());
        assert_eq!(swing(&[], &[]), Swing::default());
    }
}
