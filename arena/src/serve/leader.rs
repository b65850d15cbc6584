//! The leader of a league, for the list of leagues.

use hattari_agents::text::{counted, joined};
use hattari_report::numbers::{date, decimals, fixed};
use hattari_report::standings::{Standings, VerdictKind, VerdictTally};
use serde::Serialize;

/// The leader of a league, with the verdicts that support it.
#[derive(Clone, Serialize)]
pub(super) struct Leader {
    /// Name of the bot. It includes the mean score unless the format determines the leader.
    pub leader: String,
    /// Summary of the verdicts against the other bots.
    pub verdict: String,
    /// Date of the last run, in UTC.
    pub date: String,
}

impl Leader {
    /// Returns the bot with the highest mean or, if the format chooses pairings from results, the
    /// bot that is first in the standings after the last round. Returns `None` if nothing has been
    /// played.
    pub(super) fn of(standings: &Standings) -> Option<Leader> {
        let date = standings
            .about
            .league
            .iter()
            .flat_map(|league| &league.runs)
            .map(|run| run.ended.unwrap_or(run.started))
            .max()
            .map_or_else(String::new, date);
        if let Some(rounds) = standings.rounds.as_ref().filter(|rounds| rounds.is_chosen) {
            let (round, placed) = rounds
                .rounds
                .iter()
                .rev()
                .find_map(|round| Some((round, round.standing.first()?)))?;
            return Some(Leader {
                leader: placed.bot.clone(),
                verdict: format!("first after {}", round.name),
                date,
            });
        }
        let bot = standings.bots.first()?;
        let digits = decimals(bot.estimate.tested().map(|estimate| estimate.se));
        let leader = format!(
            "{} ({} {})",
            bot.name,
            fixed(bot.mean?, digits),
            standings.about.unit_of_means()
        );
        Some(Leader {
            leader,
            verdict: standings
                .tallies()
                .first()
                .copied()
                .map_or_else(String::new, verdict),
            date,
        })
    }
}

/// Returns a text with the numbers of other bots by verdict, as seen from the leader.
fn verdict(tally: VerdictTally) -> String {
    let total = tally.total();
    if total == 0 {
        return "no other bot to compare with".to_owned();
    }
    let kinds: Vec<VerdictKind> = VerdictKind::ALL
        .into_iter()
        .filter(|kind| tally.count(*kind) > 0)
        .collect();
    match kinds[..] {
        [only] if total == 1 => format!("{} the other bot", only.relation()),
        [only] => format!("{} all {}", only.relation(), counted(total, "other bot")),
        _ => {
            let texts = kinds
                .iter()
                .map(|kind| format!("{} {}", kind.relation(), tally.count(*kind)));
            joined(texts, ", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_on_the_leader_are_counted_by_kind() {
        let text = |ahead, equal| verdict(VerdictTally([ahead, 0, equal, 0]));
        assert_eq!(text(0, 0), "no other bot to compare with");
        assert_eq!(text(1, 0), "ahead of the other bot");
        assert_eq!(text(3, 0), "ahead of all 3 other bots");
        assert_eq!(text(2, 1), "ahead of 2, equal to 1");
    }
}
