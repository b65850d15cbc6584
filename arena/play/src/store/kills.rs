//! External kills of bots' processes. They are not part of records, because they do not affect play
//! and differ from run to run.

use super::database::Database;
use super::{Store, StoreResult, rows_of_league};
use hattari_agents::record::KillCounts;
use rusqlite::params;
use std::collections::{HashMap, HashSet};

/// Stores the number of kills at each place of a block. If two shards have played the block, the
/// larger number of each place is kept, so that repeated merges add nothing.
pub(super) fn insert(
    database: &Database,
    seating: u32,
    block: u32,
    kills: &[u32],
) -> StoreResult<()> {
    for (place, &times) in (0_u32..).zip(kills).filter(|(_, times)| **times > 0) {
        let sql = "INSERT INTO kills (seating, block, place, times) VALUES (?1, ?2, ?3, ?4) \
                   ON CONFLICT DO UPDATE SET times = max(times, excluded.times)";
        database.execute(sql, params![seating, block, place, times])?;
    }
    Ok(())
}

impl Store {
    /// Returns the number of external kills of each entrant of the league.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn kills(&self) -> StoreResult<Vec<KillCounts>> {
        let mut kills = vec![KillCounts::default(); self.league().entrants.len()];
        let sql = format!(
            "SELECT line_up, block, place, times FROM {}",
            rows_of_league("kills")
        );
        let rows: Vec<(u32, u32, u32, u32)> = self.database.rows(&sql, [])?;
        // Count a block once per entrant, which may have several seats at a table.
        let mut seen = HashSet::new();
        for (line_up, block, place, times) in rows {
            let entrants = self
                .schedule()
                .line_ups
                .get(line_up as usize)
                .map(|line_up| &line_up.entrants);
            let Some(&entrant) = entrants.and_then(|entrants| entrants.get(place as usize)) else {
                continue;
            };
            kills[entrant].times += u64::from(times);
            kills[entrant].blocks += u64::from(seen.insert((line_up, block, entrant)));
        }
        Ok(kills)
    }

    /// Returns all external kills in the store: for each seating and block, the number per place.
    pub(super) fn all_kills(&self) -> StoreResult<HashMap<(u32, u32), Vec<u32>>> {
        let sql = "SELECT seating, block, place, times FROM kills";
        let rows: Vec<(u32, u32, u8, u32)> = self.database.rows(sql, [])?;
        let mut kills: HashMap<(u32, u32), Vec<u32>> = HashMap::new();
        for (seating, block, place, times) in rows {
            let place = usize::from(place);
            let counts = kills.entry((seating, block)).or_default();
            counts.resize(counts.len().max(place + 1), 0);
            counts[place] = times;
        }
        Ok(kills)
    }
}
