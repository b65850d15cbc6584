//! Match states: `MATCHSTATE:position:hand:betting:cards`.

use hattari_games::poker::card;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// An action of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
        for (number, hole) in self.holes.iter().enumerate() {
            write!(f, "{}{}", if number > 0 { "|" } else { "" }, names(hole))?;
        }
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[must_use]
pub fn position(seat: u8, button: u8, players: u8) -> u8 {
    (seat + 2 * players - button - 1) % players
}

/// Returns the seat of a position in a hand with this button.
#[must_use]
pub fn seat(position: u8, button: u8, players: u8) -> u8 {
    (position + button + 1) % players
}
