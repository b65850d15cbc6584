//! Describes what `hattari run` would play.

use hattari_agents::text::{counted, grouped, joined, quoted};
use hattari_play::league::Sequential;
use hattari_play::schedule::{Part, Schedule};
use hattari_play::store::{LeagueIdentity, Store, UnusedBlocks};
use hattari_stats::sequential::StoppingRule;
use std::path::Path;

/// A league, and the part of it that a run would play.
pub(super) struct DryRun<'a> {
    /// Path of the league.
    pub file: &'a Path,
    pub identity: &'a LeagueIdentity,
    /// Option and value of a league of a sweep, as in `stack=1000`.
    pub setting: Option<&'a str>,
    /// Path of the store.
    pub path: &'a Path,
    pub part: &'a Part,
    /// `true` if the store is treated as empty.
    pub is_restart: bool,
}

/// The state of a league's store.
struct StoreState {
    schedule: Schedule,
    /// Number of blocks of the part that the league needs.
    blocks: u64,
    /// Number of stored blocks of the part.
    played: u64,
    /// `true` if the league plays in rounds and needs no more of them.
    is_over: bool,
    description: String,
    /// Notes on blocks that are not used.
    notes: Vec<String>,
}

impl DryRun<'_> {
    /// Returns a description of what would be played.
    pub(super) fn describe(&self) -> anyhow::Result<String> {
        let league = &self.identity.league;
        let state = self.store_state()?;
        let (schedule, blocks) = (&state.schedule, state.blocks);
        // If pairings depend on results, later rounds are unknown.
        let least = if schedule.plays_in_rounds() && !league.format.is_planned() && !state.is_over {
            "at least "
        } else {
            ""
        };
        // The schedule may have no line-up yet.
        let seats = schedule.line_ups.first().map_or(0, Vec::len);
        let rotations = league.rotations(seats);
        let rotated = if league.duplicate {
            format!(", each with {rotations} rotations")
        } else {
            String::new()
        };
        let same = if league.same_deals {
            ", the same deals for every line-up"
        } else {
            ""
        };
        let block_deals = u64::from(league.deals) * u64::from(rotations);
        let missing = blocks.saturating_sub(state.played);
        let names = league.entrants.iter().map(|entrant| entrant.name.as_str());
        let mut rows: Vec<(&str, String)> = vec![
            ("league", self.file.display().to_string()),
            ("game", format!("{}, preset {}", league.game, league.preset)),
            ("seed", league.seed.to_string()),
            (
                "entrants",
                format!("{}: {}", league.entrants.len(), quoted(names)),
            ),
            ("format", league.format.description(league)),
            (
                "line-ups",
                format!("{least}{}", grouped(schedule.line_ups.len() as u64)),
            ),
            (
                "blocks",
                format!(
                    "{} per line-up, {} per block{rotated}{same}",
                    grouped(league.blocks.into()),
                    counted(league.deals.into(), "deal")
                ),
            ),
        ];
        let sequential = league.sequential.as_ref().map(describe_stopping_rule);
        rows.extend(sequential.map(|rule| ("stopping", rule)));
        if *self.part != Part::WHOLE {
            let name = match self.part {
                Part::Shard { .. } => "shard",
                Part::Unit(_) | Part::Pairings(_) => "unit",
            };
            let text = format!("{}: {}", self.part, counted(blocks, "block"));
            rows.push((name, text));
        }
        rows.push((
            "to play",
            format!(
                "{least}{}, {}",
                counted(missing, "block"),
                counted(missing.saturating_mul(block_deals), "deal")
            ),
        ));
        rows.extend(self.setting.map(|setting| ("sweep", setting.to_owned())));
        rows.push((
            "store",
            format!(
                "{} ({}), {least}about {} when complete",
                self.path.display(),
                state.description,
                size(blocks, seats as u64, block_deals)
            ),
        ));
        for entrant in &league.entrants {
            let budget = entrant.budget.iter();
            rows.extend(budget.map(|budget| ("budget", format!("{}: {budget}", entrant.name))));
        }
        let excluded = league.excluded.iter();
        rows.extend(excluded.map(|excluded| ("excluded", excluded.to_string())));
        rows.extend(state.notes.into_iter().map(|note| ("besides", note)));
        Ok(rows
            .iter()
            .map(|(name, value)| format!("{name:<9} {value}\n"))
            .collect())
    }

    /// Reads the state of the store.
    fn store_state(&self) -> anyhow::Result<StoreState> {
        if !self.path.exists() || self.is_restart {
            let schedule = Schedule::of(&self.identity.league);
            let jobs = 0..schedule.jobs();
            return Ok(StoreState {
                blocks: jobs.filter(|&index| self.part.contains(index)).count() as u64,
                schedule,
                played: 0,
                is_over: false,
                description: "new".to_owned(),
                notes: Vec::new(),
            });
        }
        let store = Store::read_as(self.path, self.identity.clone())?;
        let schedule = store.schedule.clone();
        let played = store
            .played()?
            .into_iter()
            .filter_map(|job| schedule.find(job))
            .filter(|&index| self.part.contains(index))
            .count() as u64;
        Ok(StoreState {
            schedule,
            blocks: store.jobs_of(self.part),
            played,
            is_over: store.round_schedule().is_some_and(|rounds| rounds.is_over),
            description: format!("contains {}", counted(store.blocks_played()?, "block")),
            notes: unused_block_notes(&store)?,
        })
    }
}

/// Returns a description of the rule that may end the league early.
fn describe_stopping_rule(sequential: &Sequential) -> String {
    let rule = match &sequential.rule {
        StoppingRule::ConfidenceSequence(_) => "a confidence sequence",
        StoppingRule::Betting(_) => "betting",
        StoppingRule::Sprt(_) => "a sequential probability ratio test",
    };
    let pairs = match &sequential.pairs[..] {
        [] => "every pair that plays together".to_owned(),
        pairs => joined(pairs.iter().map(|[a, b]| format!("{a} against {b}")), ", "),
    };
    format!("{rule} may end the league early: {pairs}")
}

/// Returns the estimated size of a store. `deals` is the number of deals per block. Integers are
/// stored with seven bits per byte.
fn size(blocks: u64, seats: u64, deals: u64) -> String {
    let encoded_bytes = |number: u64| {
        u64::from(64 - (2 * number).leading_zeros())
            .div_ceil(7)
            .max(1)
    };
    let pairs = seats * (seats + 1) / 2;
    let record = seats * encoded_bytes(deals * 3)
        + (pairs + seats) * encoded_bytes(deals * 9)
        + seats * seats * (encoded_bytes(deals / 5) + encoded_bytes(deals / 2))
        + seats;
    // The constants allow for keys, headers and half-empty pages.
    let bytes = (40_000 + blocks * (record + 40) * 5 / 4) as f64;
    match bytes {
        ..1e6 => format!("{:.0} kB", bytes / 1e3),
        ..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}

/// Returns lines on stored blocks that are not used, and on bots built again from the same sources.
pub(super) fn unused_block_notes(store: &Store) -> anyhow::Result<Vec<String>> {
    let mut notes: Vec<String> = store
        .unused_blocks()?
        .into_iter()
        .map(|UnusedBlocks { why, blocks }| {
            let are = if blocks == 1 { "is" } else { "are" };
            format!(
                "{} {are} stored but not used: {why}",
                counted(blocks, "block")
            )
        })
        .collect();
    notes.extend(store.rebuilt_entrants()?.into_iter().map(|(name, file)| {
        format!("{name}: same sources, built as another file ({file}); its blocks are used")
    }));
    let mut unknown = store.versions()?;
    unknown
        .retain(|version| version.is_current && version.blocks > 0 && version.content.is_unknown());
    if !unknown.is_empty() {
        let names = quoted(unknown.iter().map(|version| &version.name));
        notes.push(format!("blocks of {names} may be by another program"));
    }
    Ok(notes)
}
