//! Match states, `MATCHSTATE:position:hand:betting:cards`, log lines of a match,
//! `STATE:hand:betting:cards:values:names`, and their creation from a deal's events.

use hattari_games::Game;
use hattari_games::cards::descending;
use hattari_games::holdem::{Deal, Event, Holdem};
use hattari_games::poker::card::{self, CardSet};
use hattari_games::poker::{BetLimit, SEATS_MAX, event};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// An action of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StateAction {
    /// `f`: fold.
    Fold,
    /// `c`: check or call.
    Call,
    /// `r`: bet or raise. In no-limit games with a number: all chips that the player has put in
    /// during the hand, including this raise.
    Raise(Option<i64>),
}

impl Display for StateAction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            StateAction::Fold => f.write_str("f"),
            StateAction::Call => f.write_str("c"),
            StateAction::Raise(None) => f.write_str("r"),
            StateAction::Raise(Some(total)) => write!(f, "r{total}"),
        }
    }
}

impl StateAction {
    /// Removes one action from the front of `text`. Returns `None` at the end of the text and for
    /// an invalid action.
    fn parse_first(text: &mut &str) -> Option<StateAction> {
        let mut letters = text.chars();
        let letter = letters.next()?;
        let rest = letters.as_str();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        *text = &rest[digits..];
        match (letter, digits) {
            ('f', 0) => Some(StateAction::Fold),
            ('c', 0) => Some(StateAction::Call),
            ('r', 0) => Some(StateAction::Raise(None)),
            ('r', _) => rest[..digits]
                .parse()
                .ok()
                .map(|total| StateAction::Raise(Some(total))),
            _ => None,
        }
    }
}

impl FromStr for StateAction {
    type Err = String;

    fn from_str(text: &str) -> Result<StateAction, String> {
        let mut rest = text;
        let act = StateAction::parse_first(&mut rest).filter(|_| rest.is_empty());
        act.ok_or_else(|| {
            format!("`{text}` is not an action; actions are f, c, r, or r with a number")
        })
    }
}

/// The actions of each round so far. The last round is the current one.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundActions(pub Vec<Vec<StateAction>>);

impl Display for RoundActions {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (number, round) in self.0.iter().enumerate() {
            if number > 0 {
                f.write_str("/")?;
            }
            round.iter().try_for_each(|act| act.fmt(f))?;
        }
        Ok(())
    }
}

impl FromStr for RoundActions {
    type Err = String;

    fn from_str(text: &str) -> Result<RoundActions, String> {
        let round = |text: &str| {
            let (mut rest, mut acts) = (text, Vec::new());
            while !rest.is_empty() {
                let before = rest;
                let act = StateAction::parse_first(&mut rest).ok_or_else(|| {
                    format!("invalid action at `{before}`: actions are f, c, r, or r with a number")
                })?;
                acts.push(act);
            }
            Ok(acts)
        };
        text.split('/')
            .map(round)
            .collect::<Result<_, _>>()
            .map(RoundActions)
    }
}

/// The hole and board cards that are known.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownCards {
    /// Hole cards of each player by position; empty if unknown.
    pub holes: Vec<Vec<u8>>,
    /// Board cards of each round from the second on.
    pub board: Vec<Vec<u8>>,
}

impl Display for KnownCards {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names = |cards: &[u8]| {
            cards
                .iter()
                .filter_map(|&card| card::name(card))
                .collect::<String>()
        };
        let holes: Vec<String> = self.holes.iter().map(|hole| names(hole)).collect();
        f.write_str(&holes.join("|"))?;
        self.board
            .iter()
            .try_for_each(|board| write!(f, "/{}", names(board)))
    }
}

impl FromStr for KnownCards {
    type Err = String;

    fn from_str(text: &str) -> Result<KnownCards, String> {
        let mut sections = text.split('/');
        let list = |text: &str| {
            if text.is_empty() {
                Ok(Vec::new())
            } else {
                card::parse_list(text)
            }
        };
        let holes = sections
            .next()
            .unwrap_or_default()
            .split('|')
            .map(list)
            .collect::<Result<Vec<_>, _>>()?;
        let cards = KnownCards {
            holes,
            board: sections.map(list).collect::<Result<_, _>>()?,
        };
        let mut seen = 0;
        for &card in cards.holes.iter().chain(&cards.board).flatten() {
            if seen & 1_u64 << card != 0 {
                return Err(format!(
                    "`{}` occurs twice",
                    card::name(card).unwrap_or("?")
                ));
            }
            seen |= 1 << card;
        }
        Ok(cards)
    }
}

/// A match state as one player sees it.
#[derive(Debug, PartialEq)]
pub struct MatchState {
    /// Position of the player who receives the state.
    pub position: u8,
    /// Number of the hand; unique within a match.
    pub hand: u32,
    /// Actions so far.
    pub rounds: RoundActions,
    /// Cards that this player can see.
    pub cards: KnownCards,
}

impl Display for MatchState {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "MATCHSTATE:{}:{}:{}:{}",
            self.position, self.hand, self.rounds, self.cards
        )
    }
}

impl FromStr for MatchState {
    type Err = String;

    fn from_str(text: &str) -> Result<MatchState, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let ["MATCHSTATE", position, hand, rounds, cards] = parts[..] else {
            return Err(
                "the line must have the form MATCHSTATE:position:hand:betting:cards".into(),
            );
        };
        let number = |what: &str, text: &str| format!("{what} `{text}` is not a number");
        let state = MatchState {
            position: position
                .parse()
                .map_err(|_| number("the position", position))?,
            hand: hand.parse().map_err(|_| number("the hand", hand))?,
            rounds: rounds.parse()?,
            cards: cards.parse()?,
        };
        if state.cards.holes.len() <= usize::from(state.position) {
            return Err(format!(
                "position {} is out of range for {} players",
                state.position,
                state.cards.holes.len()
            ));
        }
        Ok(state)
    }
}

/// Returns the position of a seat in a hand with this button.
pub(crate) fn position(seat: u8, button: u8, players: u8) -> u8 {
    (seat + 2 * players - button - 1) % players
}

/// Returns the seat of a position in a hand with this button.
pub(crate) fn seat(position: u8, button: u8, players: u8) -> u8 {
    (position + button + 1) % players
}

/// The betting and known cards of a deal in progress, updated event by event.
#[derive(Debug)]
pub struct StateWriter {
    no_limit: bool,
    players: u8,
    button: u8,
    pub(super) rounds: RoundActions,
    pub(super) cards: KnownCards,
    /// Chips that each seat has put in on earlier streets.
    before: [i64; SEATS_MAX],
    /// Chips that each seat has put in on the current street.
    bets: [i64; SEATS_MAX],
}

impl StateWriter {
    /// Creates a writer for a new deal. No cards are known yet.
    pub fn new(no_limit: bool, players: u8, button: u8) -> StateWriter {
        StateWriter {
            no_limit,
            players,
            button,
            rounds: RoundActions(vec![Vec::new()]),
            cards: KnownCards {
                holes: vec![Vec::new(); usize::from(players)],
                board: Vec::new(),
            },
            before: [0; SEATS_MAX],
            bets: [0; SEATS_MAX],
        }
    }

    /// Records the hole cards of a seat. They are listed highest first.
    pub fn reveal(&mut self, seat: u8, hand: CardSet) {
        let position = usize::from(position(seat, self.button, self.players));
        if let Some(hole) = self.cards.holes.get_mut(position) {
            *hole = descending(hand);
        }
    }

    /// Returns `true` if the event is an action of a player. Each action, with the events that it
    /// causes, leads to a new state.
    pub fn is_player_action(event: &Event) -> bool {
        matches!(
            event.kind,
            event::FOLD | event::CHECK | event::CALL | event::RAISE
        )
    }

    /// Adds the next event.
    pub fn push(&mut self, event: &Event) {
        let seat = usize::from(event.seat).min(SEATS_MAX - 1);
        match event.kind {
            event::FOLD => self.act(StateAction::Fold),
            event::CHECK => self.act(StateAction::Call),
            event::CALL => {
                self.bets[seat] += event.amount;
                self.act(StateAction::Call);
            }
            event::RAISE => {
                self.bets[seat] = event.amount;
                let total = self.before[seat] + event.amount;
                self.act(StateAction::Raise(self.no_limit.then_some(total)));
            }
            event::BLIND => self.bets[seat] += event.amount,
            event::RETURN => self.bets[seat] -= event.amount,
            event::STREET => {
                self.before
                    .iter_mut()
                    .zip(&mut self.bets)
                    .for_each(|(before, bet)| *before += std::mem::take(bet));
                self.rounds.0.push(Vec::new());
                self.cards.board.push(descending(event.cards));
            }
            event::SHOW => self.reveal(event.seat, event.cards),
            _ => {}
        }
    }

    fn act(&mut self, act: StateAction) {
        if let Some(round) = self.rounds.0.last_mut() {
            round.push(act);
        }
    }

    /// Returns the state of hand `hand` as the player in `seat` sees it.
    pub fn state(&self, seat: u8, hand: u32) -> MatchState {
        MatchState {
            position: position(seat, self.button, self.players),
            hand,
            rounds: self.rounds.clone(),
            cards: self.cards.clone(),
        }
    }
}

/// A finished hand. Lists are indexed by position.
#[derive(Debug, PartialEq)]
pub struct LogLine {
    /// Number of the hand.
    pub hand: u32,
    /// Actions of all rounds.
    pub rounds: RoundActions,
    /// All cards, including those that were not shown.
    pub cards: KnownCards,
    /// Chips won or lost by each player, as text. This program writes integers; other programs can
    /// write fractions after a split pot.
    pub values: Vec<String>,
    /// Names of the players.
    pub names: Vec<String>,
}

impl Display for LogLine {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let LogLine {
            hand,
            rounds,
            cards,
            values,
            names,
        } = self;
        write!(
            f,
            "STATE:{hand}:{rounds}:{cards}:{}:{}",
            values.join("|"),
            names.join("|")
        )
    }
}

impl FromStr for LogLine {
    type Err = String;

    fn from_str(text: &str) -> Result<LogLine, String> {
        let parts: Vec<&str> = text.splitn(6, ':').collect();
        let ["STATE", hand, rounds, cards, values, names] = parts[..] else {
            return Err("a line must have the form STATE:hand:betting:cards:values:names".into());
        };
        let list = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
        let line = LogLine {
            hand: hand
                .parse()
                .map_err(|_| format!("the hand `{hand}` is not a number"))?,
            rounds: rounds.parse()?,
            cards: cards.parse()?,
            values: list(values),
            names: list(names),
        };
        let players = line.cards.holes.len();
        if line.values.len() != players || line.names.len() != players {
            return Err(format!(
                "the line has {players} hands, {} values and {} names; the numbers must be equal",
                line.values.len(),
                line.names.len()
            ));
        }
        Ok(line)
    }
}

/// Returns a name for logs: separators are replaced by `_`.
pub fn log_name(name: &str) -> String {
    name.replace(|c: char| matches!(c, ':' | '|') || c.is_whitespace(), "_")
}

/// Creates the line of a finished deal. `payoffs` and `names` ([`log_name`]) are indexed by seat.
///
/// # Panics
/// Panics if the number of payoffs or of names is not the number of players.
pub fn log_line(
    game: &Holdem,
    deal: &Deal,
    hand: u32,
    payoffs: &[i64],
    names: &[String],
) -> LogLine {
    let players = deal.betting.players();
    assert_eq!(
        (payoffs.len(), names.len()),
        (players.into(), players.into()),
        "a payoff and a name for each player"
    );
    let mut writer = StateWriter::new(game.form().limit == BetLimit::NoLimit, players, deal.button);
    for event in game
        .history(deal)
        .iter()
        .filter(|event| event.kind != event::SHOW)
    {
        writer.push(event);
    }
    (0..players).for_each(|seat| writer.reveal(seat, deal.hands[usize::from(seat)]));
    let seats: Vec<usize> = (0..players)
        .map(|at| usize::from(seat(at, deal.button, players)))
        .collect();
    LogLine {
        hand,
        rounds: writer.rounds,
        cards: writer.cards,
        values: seats
            .iter()
            .map(|&seat| payoffs[seat].to_string())
            .collect(),
        names: seats.iter().map(|&seat| names[seat].clone()).collect(),
    }
}
