//! League files: any bytes give a valid league or problems with their locations.

use hattari_agents::games::GameInfo;
use hattari_play::league::{Entrant, League, LeagueError, Problem};
use hattari_play::schedule::Schedule;
use std::path::Path;

fn read(bytes: &[u8]) -> Result<(League, String), LeagueError> {
    // Half of the bots exist, so that both cases are tested.
    let mut resolve = |_: &GameInfo, entrant: &Entrant| match entrant.bot.len() % 2 {
        0 => Ok(()),
        _ => Err(Problem::of_file(
            format!("no bot `{}`", entrant.bot),
            "name another",
        )),
    };
    League::parse(Path::new("no-such-folder/x.yaml"), bytes, &mut resolve)
}

/// A valid league can be scheduled and stored. An invalid one has a problem at every location that
/// it names.
pub(crate) fn run(bytes: &[u8]) {
    match read(bytes) {
        Ok((league, _)) => {
            let schedule = Schedule::of(&league);
            assert!(
                !schedule.line_ups.is_empty() && schedule.jobs() > 0,
                "a league without anything to play"
            );
            for line_up in &schedule.line_ups {
                assert!(
                    line_up
                        .iter()
                        .all(|&entrant| entrant < league.entrants.len())
                );
            }
            let json = serde_json::to_string(&league).expect("leagues are plain data");
            let again: League =
                serde_json::from_str(&json).expect("a store reads what it has written");
            assert_eq!(again, league);
        }
        Err(error) => {
            assert!(!error.problems.is_empty(), "refused without a reason");
            let text = String::from_utf8_lossy(bytes);
            let lines = text.split(['\n', '\r']).count() + 1;
            for problem in &error.problems {
                assert!(!problem.message.is_empty() && !problem.remedy.is_empty());
                assert!(
                    problem
                        .position
                        .is_none_or(|position| (1..=lines).contains(&position.line)),
                    "{problem:?} of {lines} lines"
                );
            }
            assert!(
                error.to_string().len() < 4096 + 64 * (bytes.len() + 64) * error.problems.len()
            );
        }
    }
}
