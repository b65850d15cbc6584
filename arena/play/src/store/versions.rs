//! Versions of entrants: their stored blocks, their scores on the same deals, and pruning of unused
//! blocks.

use super::{BotContent, LeagueIdentity, Store, StoreResult, StoreWriter};
use crate::league::PlannedDeals;
use hattari_agents::text::joined;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// A stored version of an entrant.
#[derive(Clone, Debug, Serialize)]
pub struct StoredVersion {
    /// Name of the entrant.
    pub name: String,
    /// Number of the version, from 1 in order of appearance.
    pub number: u32,
    /// The program as it was found when the version was first played.
    pub content: BotContent,
    /// Number of stored blocks in which the version played.
    pub blocks: u64,
    /// True if the store's league uses the version.
    pub is_current: bool,
}

/// Scores of the versions of an entrant in one block, with the same deals and the same opponents.
#[derive(Debug)]
pub struct VersionScores {
    /// Number of the table at which the versions played, from 0.
    pub table: usize,
    /// Number of the block.
    pub block: u32,
    /// Mean score per deal of each version; the keys are the numbers of the versions.
    pub means: BTreeMap<u32, f64>,
    /// Number of deals of each version; the maximum if they differ.
    pub deals: u32,
}

impl Store {
    /// Returns all stored versions with their numbers of blocks.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or is damaged.
    pub fn versions(&self) -> StoreResult<Vec<StoredVersion>> {
        Ok(self.numbered()?.into_values().collect())
    }

    /// Returns the names of the entrants with a current version that was first played from another
    /// file with the same digest of sources, and the hashes of these files.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or is damaged.
    pub fn rebuilt_entrants(&self) -> StoreResult<Vec<(String, String)>> {
        let LeagueIdentity {
            league, contents, ..
        } = &self.identity;
        let content = |name: &str| league.entrant(name).and_then(|index| contents.get(index));
        Ok(self
            .versions()?
            .into_iter()
            .filter_map(|version| {
                let StoredVersion {
                    name,
                    content: played,
                    is_current,
                    ..
                } = version;
                let is_rebuilt = is_current
                    && !played.file.is_empty()
                    && content(&name).is_some_and(|content| content.file != played.file);
                is_rebuilt.then_some((name, played.file))
            })
            .collect())
    }

    /// Returns versions by row id, numbered within each name.
    fn numbered(&self) -> StoreResult<BTreeMap<i64, StoredVersion>> {
        let counts = self.blocks_by_seating("records")?;
        let mut blocks: HashMap<i64, u64> = HashMap::new();
        for mut seating in self.seatings()? {
            seating.players.sort_unstable();
            seating.players.dedup();
            let count = counts.get(&seating.number).copied().unwrap_or(0);
            for version in seating.players {
                *blocks.entry(version).or_default() += count;
            }
        }
        let sql = "SELECT version, name, content FROM versions ORDER BY version";
        let rows: Vec<(i64, String, String)> = self.database.rows(sql, [])?;
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let versions = rows.into_iter().map(|(row, name, content)| {
            let content = serde_json::from_str(&content).map_err(|error| {
                self.database
                    .damaged(format!("a version of {name}: {error}"))
            })?;
            let number = numbers.entry(name.clone()).or_default();
            *number += 1;
            let blocks = blocks.get(&row).copied().unwrap_or(0);
            let is_current = self.seatings.versions.contains(&Some(row));
            Ok((
                row,
                StoredVersion {
                    name,
                    number: *number,
                    content,
                    blocks,
                    is_current,
                },
            ))
        });
        versions.collect()
    }

    /// Returns the scores of the versions of the entrant `name`, by block, under the league's
    /// conditions. Blocks that only one version has played are left out.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or is damaged.
    pub fn versions_of(&self, name: &str) -> StoreResult<Vec<VersionScores>> {
        let versions = self.numbered()?;
        let number = |row: &i64| {
            versions
                .get(row)
                .filter(|version| version.name == name)
                .map(|version| version.number)
        };
        // Numbers of the tables at which versions of the entrant played. A table is identified by
        // the row id at each place; `None` stands for the entrant.
        let mut tables: HashMap<Vec<Option<i64>>, usize> = HashMap::new();
        let mut seatings = HashMap::new();
        for seating in self.seatings()? {
            let mut numbers: Vec<u32> = seating.players.iter().filter_map(number).collect();
            numbers.dedup();
            if let [version] = numbers[..]
                && Some(seating.conditions) == self.seatings.conditions
            {
                let others = seating
                    .players
                    .iter()
                    .map(|row| number(row).is_none().then_some(*row))
                    .collect::<Vec<_>>();
                let places: Vec<usize> = (0..others.len())
                    .filter(|&place| others[place].is_none())
                    .collect();
                let next = tables.len();
                let table = *tables.entry(others).or_insert(next);
                seatings.insert(seating.number, (table, version, places));
            }
        }
        let mut scores: BTreeMap<(usize, u32), VersionScores> = BTreeMap::new();
        self.each_seated(|record, seating| {
            if let Some(&(table, version, ref places)) = seatings.get(&seating) {
                let plan = PlannedDeals::of(self.league(), record.sum.len());
                let block = record.job.block;
                let scored = scores
                    .entry((table, block))
                    .or_insert_with(|| VersionScores {
                        table,
                        block,
                        means: BTreeMap::new(),
                        deals: 0,
                    });
                scored
                    .means
                    .insert(version, plan.scores(&record).mean(places));
                scored.deals = record.deals.max(scored.deals);
            }
            Ok(())
        })?;
        Ok(scores
            .into_values()
            .filter(|scored| scored.means.len() > 1)
            .collect())
    }
}

impl StoreWriter {
    /// Deletes all played and reviewed blocks that the league does not use, and frees their space.
    /// Returns their number.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written; then nothing is deleted.
    pub fn prune(&mut self) -> StoreResult<u64> {
        self.commit()?;
        let unused = self.store.unused_blocks()?;
        let blocks: u64 = unused.iter().map(|unused| unused.blocks).sum();
        let database = &self.store.database;
        let transaction = database.transaction()?;
        let source = super::rows_of_league("records");
        let kept = format!("SELECT records.seating, records.block FROM {source}");
        self.execute(&format!("CREATE TEMP TABLE kept AS {kept}"), [])?;
        for table in ["faults", "answers", "kills", "records"] {
            // SQLite looks up pairs in the result of a query, but scans it for `NOT IN`.
            let sql = format!(
                "DELETE FROM {table} WHERE (seating, block) IN \
                 (SELECT seating, block FROM {table} EXCEPT SELECT seating, block FROM temp.kept)"
            );
            self.execute(&sql, [])?;
        }
        let reviewed = self.prune_reviews()?;
        for statement in [
            "DELETE FROM seatings WHERE seating NOT IN (SELECT seating FROM records) AND seating NOT IN (SELECT seating FROM reviews)",
            "DELETE FROM machines WHERE machine NOT IN (SELECT machine FROM records WHERE machine NOT NULL)",
            "DROP TABLE temp.kept",
        ] {
            self.execute(statement, [])?;
        }
        let players = self
            .store
            .seatings()?
            .into_iter()
            .flat_map(|seating| seating.players);
        let current = self.store.seatings.versions.iter().flatten();
        let used = players.chain(current.copied());
        let used = joined(used.map(|version| version.to_string()), ",");
        for table in ["timing", "words", "versions"] {
            let sql = format!("DELETE FROM {table} WHERE version NOT IN ({used})");
            self.execute(&sql, [])?;
        }
        transaction.commit().map_err(|error| database.fail(error))?;
        self.execute("VACUUM", [])?;
        Ok(blocks + reviewed)
    }
}
