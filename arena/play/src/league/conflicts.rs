//! Checks settings of a league that must fit each other. The settings come from the league file, or
//! replace values of the file on the command line.

use super::{AssumedResults, BLOCKS_MAX, DealSharing, Format, League, Problem, client, formats};
use hattari_agents::table;
use hattari_agents::text::{counted, grouped};

/// The key of the league that should be changed, and the problem of settings that do not fit each
/// other.
pub(super) type Conflict = (&'static str, Problem);

/// Checks that a league can be played: its rules fit its other settings, and it does not have too
/// many blocks.
///
/// # Errors
/// Returns the first problem, without a position.
pub fn check_settings(league: &League) -> Result<(), Problem> {
    let first = rule_conflicts(league).into_iter().next();
    first
        .or_else(|| size_conflict(league))
        .map_or(Ok(()), |(_, problem)| Err(problem))
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
        return Some((
            "blocks",
            Problem::of_file(
                format!(
                    "{} are too many; a line-up can have at most {}",
                    counted(league.blocks.into(), "block"),
                    grouped(BLOCKS_MAX.into())
                ),
                "use fewer blocks",
            ),
        ));
    }
    if let Err(problem) = formats::check_size(league) {
        return Some(("format", problem));
    }
    repetition_conflict(league)
        .or_else(|| rounds_conflict(league))
        .or_else(|| uncompared_conflict(league))
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
    Some((
        key,
        Problem::of_file(
            format!(
                "{what} needs new deals in every block, but the given deals repeat after {}",
                counted(blocks, "block")
            ),
            format!("give at most `blocks: {blocks}`, more deals, or {other}"),
        ),
    ))
}

/// Returns a conflict if the league has a stopping rule and a format that plays in rounds.
fn rounds_conflict(league: &League) -> Option<Conflict> {
    league.sequential.as_ref()?;
    league
        .format
        .round_schedule(league, &AssumedResults::None)?;
    let problem = Problem::of_file(
        "a stopping rule is not allowed with a format that plays in rounds",
        "remove `sequential`, or choose a format with fixed line-ups (a `race` stops by itself)",
    );
    Some(("sequential", problem))
}

/// Returns a conflict if the stopping rule has nothing to decide: the entrants of a listed pair, or
/// any two entrants, never meet with equal chances.
fn uncompared_conflict(league: &League) -> Option<Conflict> {
    let pairs = &league.sequential.as_ref()?.pairs;
    let line_ups = league.format.line_ups(league);
    let has_equal_chances = league.equal_chances();
    let equal: Vec<&Vec<usize>> = line_ups
        .iter()
        .filter(|line_up| has_equal_chances(line_up))
        .collect();
    let meet = |[a, b]: &[String; 2], line_ups: &[&Vec<usize>]| {
        league
            .entrant(a)
            .zip(league.entrant(b))
            .is_some_and(|(a, b)| {
                line_ups
                    .iter()
                    .any(|all| all.contains(&a) && all.contains(&b))
            })
    };
    let has_pair = |line_up: &&Vec<usize>| line_up.iter().any(|entrant| *entrant != line_up[0]);
    let all: Vec<&Vec<usize>> = line_ups.iter().collect();
    let (which, share_table) = match pairs.iter().find(|pair| !meet(pair, &equal)) {
        Some(pair) => (format!("`{}` and `{}`", pair[0], pair[1]), meet(pair, &all)),
        None if pairs.is_empty() && !equal.iter().any(has_pair) => {
            ("any two entrants".to_owned(), all.iter().any(has_pair))
        }
        None => return None,
    };
    let remedy = if share_table && !league.duplicate {
        "use `duplicate: true` (in bridge with `format: pairs`), because players keep their seats"
    } else {
        "choose a format in which they meet, or list other `pairs`"
    };
    let problem = Problem::of_file(
        format!("the stopping rule cannot compare {which}: they never meet in equal seats"),
        remedy,
    );
    Some(("sequential", problem))
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
    let sequential = league.sequential.as_ref();
    let is_race = matches!(&league.format, Format::Race(race) if race.without_luck);
    let mut keys = vec![
        ("report", league.report.without_luck),
        (
            "sequential",
            sequential.is_some_and(|rule| rule.without_luck),
        ),
        ("format", is_race),
    ];
    keys.retain(|(_, is_set)| *is_set);
    let has_luck_measure =
        || table::game(&league.game, &league.options).is_ok_and(|game| !game.chances().is_empty());
    if keys.is_empty() || has_luck_measure() {
        return Vec::new();
    }
    let problem = Problem::of_file(
        format!(
            "`without_luck`: luck is not measured in {} with these options",
            league.game
        ),
        "remove it (luck is not measured for given deals and balanced decks)",
    );
    keys.into_iter()
        .map(|(key, _)| (key, problem.clone()))
        .collect()
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
    let problem = Problem::of_file(
        "`luck`: with duplicate deals luck sums to zero, because both sides get both hands",
        "remove `luck` or `duplicate`",
    );
    sums_to_zero.then_some(("options", problem))
}
