//! Log lines of a match: `STATE:hand:betting:cards:values:names`.

use super::state::{KnownCards, RoundActions};
use super::{StateWriter, seat};
use hattari_games::Game;
use hattari_games::holdem::{Deal, Holdem};
use hattari_games::poker::{BetLimit, event};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// A finished hand. Lists are indexed by position.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Creates the line of a finished deal. `payoffs` and `names` are indexed by seat. Separators in
/// names are replaced by `_`.
///
/// # Panics
/// Panics if the number of payoffs or of names is not the number of players.
#[must_use]
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
    let name = |seat: usize| {
        names[seat].replace(|c: char| matches!(c, ':' | '|') || c.is_whitespace(), "_")
    };
    LogLine {
        hand,
        rounds: writer.rounds,
        cards: writer.cards,
        values: seats
            .iter()
            .map(|&seat| payoffs[seat].to_string())
            .collect(),
        names: seats.iter().map(|&seat| name(seat)).collect(),
    }
}
