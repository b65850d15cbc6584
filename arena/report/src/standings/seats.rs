//! The caution about games whose players keep their seats.

use super::Standings;
use hattari_play::league::{Format, League};
use hattari_play::samples::Samples;
use hattari_plugin::games::Seating;

/// Returns a caution if bots of one table are not compared because they have different chances
/// ([`League::equal_chances`]).
pub(super) fn seats_caution(
    standings: &Standings,
    samples: &Samples,
    league: &League,
) -> Option<String> {
    if !samples
        .line_ups
        .iter()
        .any(|line_up| !line_up.has_equal_chances)
    {
        return None;
    }
    // Challengers of a race all play in the same seat.
    let is_decided = standings.rounds.is_some() && !matches!(league.format, Format::Race(_));
    let decided = if is_decided {
        " The places of the format depend on such differences."
    } else {
        ""
    };
    let cause = match league.seating() {
        Seating::Fixed => {
            "Players keep their seats, so a difference between bots of one table is also a \
             difference between seats and partners. Bots are compared only if they played in the \
             same seats, with and against the same bots."
        }
        _ => {
            "An earlier version of Hattari seated the bots in the order of the league, so a bot \
             always sat next to the same opponents. Bots of one table are not compared. Play the \
             league again to compare them."
        }
    };
    // In larger tables, rotations do not exchange the neighbours of two bots.
    let remedy = if league.duplicate
        || !samples
            .line_ups
            .iter()
            .any(|line_up| line_up.bots.len() == 2)
    {
        ""
    } else {
        " To compare the bots of a table, use `duplicate: true` (in bridge with `format: pairs`)."
    };
    Some(format!("{cause}{remedy}{decided}"))
}
