//! How often somebody else ended bots' processes. No part of records: it says nothing of the play, and differs from run to run.

use super::{Store, StoreError};
use hattari_hosts::record::{JobId, Kills};
use rusqlite::{Connection, params};
use std::collections::HashSet;

/// Keeps the kills of a block, by place in its line-up. Where some are kept already, as of a block that two shards have played, the
/// larger number of each place stays: to merge a store once more adds nothing.
pub(super) fn insert(connection: &Connection, job: JobId, kills: &[u32]) -> rusqlite::Result<()> {
    for (place, &times) in (0_u32..).zip(kills).filter(|(_, times)| **times > 0) {
        let sql = "INSERT INTO kills VALUES (?1, ?2, ?3, ?4) \
                   ON CONFLICT DO UPDATE SET times = max(times, excluded.times)";
        connection.prepare_cached(sql)?.execute(params![job.line_up, job.block, place, times])?;
    }
    Ok(())
}

impl Store {
    /// How often somebody else ended the processes of bots; by entrant of the league. Stores of earlier layouts know of none.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn kills(&self) -> Result<Vec<Kills>, StoreError> {
        let mut kills = vec![Kills::default(); self.league().entrants.len()];
        if !self.has_kills {
            return Ok(kills);
        }
        let rows = self.list("SELECT line_up, block, entrant, times FROM kills", |row| {
            Ok((row.get::<_, u32>(0)?, row.get::<_, u32>(1)?, row.get::<_, u32>(2)?, row.get::<_, u32>(3)?))
        })?;
        // An entrant may sit at a table several times.
        let mut seen = HashSet::new();
        for (line_up, block, place, times) in rows {
            let entrants = self.schedule().line_ups.get(line_up as usize).map(|line_up| &line_up.entrants);
            let Some(&entrant) = entrants.and_then(|entrants| entrants.get(place as usize)) else { continue };
            kills[entrant].times += u64::from(times);
            kills[entrant].blocks += u64::from(seen.insert((line_up, block, entrant)));
        }
        Ok(kills)
    }

    /// The kills of a block, by place in its line-up; places beyond the list have none.
    pub(super) fn kills_of(&self, job: JobId) -> Result<Vec<u32>, StoreError> {
        let mut kills = Vec::new();
        if !self.has_kills {
            return Ok(kills);
        }
        let fail = |error: rusqlite::Error| self.fail(&error);
        let players = self.schedule().line_ups.get(job.line_up as usize).map_or(0, |line_up| line_up.entrants.len());
        let sql = "SELECT entrant, times FROM kills WHERE line_up = ?1 AND block = ?2";
        let mut statement = self.connection.prepare_cached(sql).map_err(fail)?;
        let mut rows = statement.query([job.line_up, job.block]).map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            let (place, times) = (row.get::<_, u32>(0).map_err(fail)? as usize, row.get(1).map_err(fail)?);
            if place < players {
                kills.resize(kills.len().max(place + 1), 0);
                kills[place] = times;
            }
        }
        Ok(kills)
    }
}
