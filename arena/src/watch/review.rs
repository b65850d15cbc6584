//! Reviews a version of a bot by its predecessor, to find the decisions that caused the difference.

use hattari_play::league::Entrant;
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{ReviewError, ReviewPlan};
use hattari_report::review::{CONFIDENCE, ReviewReport};
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum number of games of a review.
const GAMES_MAX: u64 = 2_000;

/// Reviews the old version by the new one in the games of the old version, so that a gain is an
/// improvement. Returns `None` if the versions make the same choices, if the bots cannot be
/// reviewed, or if `stop` was set before the end.
///
/// # Errors
/// Returns an error if a bot cannot be opened, or if the host cannot continue.
pub(crate) fn review(
    old: &PreparedLeague,
    new: &PreparedLeague,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Option<ReviewReport>, ReviewError> {
    // The old version takes the seats of the first entrant. The new version becomes an entrant
    // without seats.
    let mut prepared = old.clone();
    let entrant = &old.league.entrants[0];
    let mut name = entrant.name.clone();
    while prepared.league.entrant(&name).is_some() {
        name += "-now";
    }
    prepared.league.entrants.push(Entrant {
        name: name.clone(),
        ..new.league.entrants[0].clone()
    });
    prepared.seats.push(new.seats[0].clone());
    let plan = ReviewPlan {
        games: GAMES_MAX,
        threads,
        ..ReviewPlan::new(&prepared, &entrant.name, &name)?
    };
    let review = match plan.run(&prepared, None, stop, |_| {}) {
        Ok(review) => review,
        Err(ReviewError::NotReplayable(_) | ReviewError::Unrepeatable { .. }) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let report = ReviewReport::new(&prepared, &plan, &review, None, CONFIDENCE);
    let is_whole = !stop.load(Ordering::Relaxed) && report.forks_played > 0;
    Ok(is_whole.then_some(report))
}
