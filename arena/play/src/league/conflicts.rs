//! Checks settings of a league that must fit each other. The settings come from the league file, or
//! replace values of the file on the command line.

use super::{AssumedResults, BLOCKS_MAX, DealSharing, Format, League, Problem, client, formats};
use hattari_agents::table;
use hattari_agents::text::{counted, grouped};

/// Settings that do not fit each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Conflict {
    /// The key of the league that should be changed.
    pub key: &'static str,
    /// Cause.
    pub message: String,
    /// Remedy.
    pub remedy: String,
}

/// Checks that a league can be played: its rules fit its other settings, and it does not have too
/// many blocks.
///
/// # Errors
/// Returns the first problem, without a position.
pub fn check_settings(league: &League) -> Result<(), Problem> {
    let first = rule_conflicts(league).into_iter().next();
    match first.or_else(|| size_conflict(league)) {
        None => Ok(()),
        Some(conflict) => Err(Problem::of_file(conflict.message, conflict.remedy)),
    }
}

/// Returns the clients and the settings of luck that the rules of the game do not allow.
pub(super) fn rule_conflicts(league: &League) -> Vec<Conflict> {
    let mut conflicts = client::conflicts(&league.game, &league.options, &league.entrants);
    conflicts.extend(luck_conflicts(league));
    conflicts
}

/// Returns a conflict if the format has too many line-ups or blocks, or does not allow the number
/// of blocks.
pub(super) fn size_conflict(league: &League) -> Option<Conflict> {
    if league.blocks > BLOCKS_MAX {
        return Some(Conflict {
            key: "blocks",
            message: format!(
                "{} are too many; a line-up can have at most {}",
                counted(league.blocks.into(), "block"),
                grouped(BLOCKS_MAX.into())
            ),
            remedy: "use fewer blocks".to_owned(),
        });
    }
    if let Err(problem) = formats::check_size(league) {
        return Some(Conflict {
            key: "format",
            message: problem.message,
            remedy: problem.remedy,
        });
    }
    repetition_conflict(league).or_else(|| rounds_conflict(league))
}

/// Returns a conflict if blocks repeat deals although a rule decides by the results how many blocks
/// are played. Such a rule would count a repeated deal as a new observation.
fn repetition_conflict(league: &League) -> Option<Conflict> {
    let (key, what, other) = match (&league.sequential, &league.format) {
        (Some(_), _) => ("sequential", "`sequential`", "no `sequential`"),
        (None, Format::Race(_)) => ("format", "a race", "another format"),
        _ => return None,
    };
    let new_blocks = DealSharing::of(league).blocks_without_repeat();
    let blocks = new_blocks.filter(|blocks| *blocks < u64::from(league.blocks))?;
    Some(Conflict {
        key,
        message: format!(
            "{what} needs new deals in every block, but the given deals repeat after {}",
            counted(blocks, "block")
        ),
        remedy: format!("give at most `blocks: {blocks}`, more deals, or {other}"),
    })
}

/// Returns a conflict if the league has a stopping rule and a format that plays in rounds.
fn rounds_conflict(league: &League) -> Option<Conflict> {
    league.sequential.as_ref()?;
    league
        .format
        .round_schedule(league, &AssumedResults::None)?;
    Some(Conflict {
        key: "sequential",
        message: "a stopping rule is not allowed with a format that pairs entrants by results"
            .to_owned(),
        remedy: "remove `sequential`, or choose a format with fixed line-ups (a `race` stops by \
            itself)"
            .to_owned(),
    })
}

/// Returns the settings of luck that the rules of the game do not allow.
pub(super) fn luck_conflicts(league: &League) -> Vec<Conflict> {
    let mut conflicts = unmeasured_luck_conflicts(league);
    conflicts.extend(duplicate_luck_conflict(league));
    conflicts
}

/// Returns a conflict for every setting `without_luck` if the game has no luck measure under the
/// league's options.
fn unmeasured_luck_conflicts(league: &League) -> Vec<Conflict> {
    let keys: Vec<&str> = [
        ("report", league.report.without_luck),
        (
            "sequential",
            (league.sequential.as_ref()).is_some_and(|rule| rule.without_luck),
        ),
        (
            "format",
            matches!(&league.format, Format::Race(race) if race.without_luck),
        ),
    ]
    .into_iter()
    .filter_map(|(key, is_set)| is_set.then_some(key))
    .collect();
    let has_luck_measure =
        || table::game(&league.game, &league.options).is_ok_and(|game| !game.chances().is_empty());
    if keys.is_empty() || has_luck_measure() {
        return Vec::new();
    }
    let game = &league.game;
    let conflict = |key| Conflict {
        key,
        message: format!("`without_luck`: luck is not measured in {game} with these options"),
        remedy: "remove it (luck is not measured for given deals and balanced decks)".to_owned(),
    };
    keys.into_iter().map(conflict).collect()
}

/// Returns a conflict if the league sets the option `luck`, but all rotations of a duplicate deal
/// count as one result. Luck then sums to zero.
fn duplicate_luck_conflict(league: &League) -> Option<Conflict> {
    let game = table::game(&league.game, &league.options).ok()?;
    let (players, _) = game.players();
    let sums_to_zero = league.duplicate
        && !game.chances().is_empty()
        && game.rotations(players) > 1
        && game.counted_rotations(players) == 1;
    sums_to_zero.then(|| Conflict {
        key: "options",
        message: "`luck`: with duplicate deals luck sums to zero, because both sides get both \
            hands"
            .to_owned(),
        remedy: "remove `luck` or `duplicate`".to_owned(),
    })
}
