//! Text formats of the Annual Computer Poker Competition (ACPC) for hold'em, protocol version
//! 2.0.0: game definitions, match states and log lines. All functions are pure; callers read and
//! write sockets and files.
//!
//! A player's *position* in a hand counts the seats from the seat left of the button (position 0),
//! so the button is the last position. Amounts in text are totals over the whole hand; in this
//! program they are totals of a street.
//!
//! On the competition's servers every raise reopens the betting and counts for the minimum of the
//! next raise, even if it is an all-in raise below the minimum. The presets `acpc` and `acpc-limit`
//! use these rules. The servers also accept a raise if the player has only enough chips to call, or
//! if no opponent can answer. This module converts such a raise to the equivalent call. In limit
//! games, the competition's dealer even lowers the amount to call if a player with fewer chips
//! raises. This is not implemented.

mod game_def;
mod replay;
mod state;

pub use game_def::{parse_game, write_game};
pub use replay::{DecisionContext, choose, is_shown, replay, state_action};
pub(crate) use state::{KnownCards, seat};
pub use state::{LogLine, MatchState, RoundActions, StateAction, StateWriter, log_line, log_name};

#[cfg(test)]
mod tests;
