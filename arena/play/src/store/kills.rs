//! External kills of bots' processes. They are not part of records, because they do not affect play
//! and differ from run to run.

use super::{Store, StoreError, rows_of_league};
use hattari_agents::record::Kills;
use rusqlite::{Connection, params};
use std::collections::{HashMap, HashSet};

/// Stores the kills of a block, by place. If two shards have played the block, the larger number of
/// each place is kept, so that repeated merges add nothing.
pub(super) fn insert(
    connection: &Connection,
    seating: u32,
    block: u32,
    kills: &[u32],
) -> rusqlite::Result<()> {
    for (place, &times) in (0_u32..).zip(kills).filter(|(_, times)| **times > 0) {
        let sql = "INSERT INTO kills VALUES (?1, ?2, ?3, ?4) \
                   ON CONFLICT DO UPDATE SET times = max(times, excluded.times)";
        connection
            .prepare_cached(sql)?
            .execute(params![seating, block, place, times])?;
    }
    Ok(())
}

impl Store {
    /// Returns the number of external kills, by entrant of the league.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn kills(&self) -> Result<Vec<Kills>, StoreError> {
        let mut kills = vec![Kills::default(); self.league().entrants.len()];
        let sql = format!(
            "SELECT line_up, block, place, times FROM {}",
            rows_of_league("kills")
        );
        let rows = self.list(&sql, |row| {
            Ok((
                row.get::<_, u32>(0)?,
                row.get::<_, u32>(1)?,
                row.get::<_, u32>(2)?,
                row.get::<_, u32>(3)?,
            ))
        })?;
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
    pub(super) fn all_kills(&self) -> Result<HashMap<(u32, u32), Vec<u32>>, StoreError> {
        let rows = self.list("SELECT seating, block, place, times FROM kills", |row| {
            Ok((
                (row.get(0)?, row.get(1)?),
                row.get::<_, u8>(2)?,
                row.get::<_, u32>(3)?,
            ))
        })?;
        let mut kills: HashMap<(u32, u32), Vec<u32>> = HashMap::new();
        for (block, place, times) in rows {
            let here = kills.entry(block).or_default();
            here.resize(here.len().max(usize::from(place) + 1), 0);
            here[usize::from(place)] = times;
        }
        Ok(kills)
    }
}
