//! External kills of bots' processes. They are not part of records, because they do not affect play
//! and differ from run to run.

use super::database::Database;
use super::{Store, StoreResult, rows_of_league};
use hattari_agents::record::KillCounts;
use std::collections::{HashMap, HashSet};

/// Stores the kills at a place of a block: seating, block, place and number. If two shards have
/// played the block, the larger number is kept, so that repeated merges add nothing.
pub(super) fn insert(database: &Database, row: [u32; 4]) -> StoreResult {
    let sql = "INSERT INTO kills (seating, block, place, times) VALUES (?1, ?2, ?3, ?4) \
               ON CONFLICT DO UPDATE SET times = max(times, excluded.times)";
    database.execute(sql, row)
}

/// Adds the kills in the stored blocks of another store. `seatings` maps numbers of its seatings to
/// those of `database`.
pub(super) fn merge(
    database: &Database,
    input: &Store,
    seatings: &HashMap<u32, u32>,
) -> StoreResult {
    let sql = "SELECT seating, block, place, times FROM kills WHERE times > 0 AND EXISTS \
               (SELECT 1 FROM records WHERE records.seating = kills.seating AND \
               records.block = kills.block)";
    let add = |(seating, block, place, times): (u32, u32, u8, u32)| match seatings.get(&seating) {
        Some(&seating) => insert(database, [seating, block, place.into(), times]),
        None => Ok(()),
    };
    input.database.each(sql, [], add)
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
            let entrants = self.schedule.line_ups.get(line_up as usize);
            let Some(&entrant) = entrants.and_then(|entrants| entrants.get(place as usize)) else {
                continue;
            };
            kills[entrant].times += u64::from(times);
            kills[entrant].blocks += u64::from(seen.insert((line_up, block, entrant)));
        }
        Ok(kills)
    }
}
