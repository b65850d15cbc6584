//! Comparison of the machines that played the blocks of a league.

use super::{Estimate, TestResult};
use crate::numbers::{decimals, p_equals, signed};
use hattari_agents::text::{counted, grouped};
use hattari_play::samples::Samples;
use hattari_play::store::{Store, StoreError};
use hattari_stats::Untestable;
use hattari_stats::groups::{GroupedBlock, compare_groups};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Maximum number of block scores that are compared, over all bots and machines.
const COMPARED_MAX: usize = 50_000_000;

/// The number of blocks that a machine played, and its differences from the other machines.
#[derive(Debug, Serialize)]
pub struct MachineStanding {
    /// Name of the machine.
    pub machine: String,
    /// Number of blocks that the machine played.
    pub blocks: u64,
    /// The difference from all other machines, by bot; empty if the blocks and machines are too
    /// many to compare.
    pub differences: Vec<MachineDifference>,
}

/// The score of a bot on one machine minus its score on the others.
#[derive(Debug, Serialize)]
pub struct MachineDifference {
    /// Name of the bot.
    pub bot: String,
    /// The test of the difference, computed within line-ups.
    pub test: TestResult<MachineTest>,
}

/// A test of the difference of a machine from the others. All fields are finite.
#[derive(Debug, Serialize)]
pub struct MachineTest {
    /// The difference in points per deal.
    pub difference: Estimate,
    /// Two-sided p.
    pub p: f64,
    /// p adjusted by Holm's method over all bots and machines.
    pub p_adjusted: f64,
}

impl MachineStanding {
    /// Returns the bot with the smallest p, and its test; `None` if no bot was tested.
    pub(crate) fn most_significant(&self) -> Option<(&str, &MachineTest)> {
        (self.differences.iter())
            .filter_map(|difference| Some((difference.bot.as_str(), difference.test.tested()?)))
            .min_by(|(_, one), (_, other)| one.p.total_cmp(&other.p))
    }
}

/// Compares the machines of a league. Returns an empty list if fewer than two machines are known.
///
/// # Errors
/// Returns an error if the store cannot be read.
pub(super) fn machines(
    store: &Store,
    samples: &Samples,
    confidence: f64,
) -> Result<Vec<MachineStanding>, StoreError> {
    if store.machines()? < 2 {
        return Ok(Vec::new());
    }
    let mut blocks: BTreeMap<String, Vec<(u32, u32)>> = BTreeMap::new();
    store.each_origin(|job, origin| {
        if let Some(machine) = origin.machine {
            blocks
                .entry(machine)
                .or_default()
                .push((job.line_up, job.block));
        }
    })?;
    if blocks.len() < 2 {
        return Ok(Vec::new());
    }
    let scores: usize = samples
        .line_ups
        .iter()
        .map(|line_up| line_up.blocks.len() * line_up.bots.len())
        .sum();
    let groups = blocks.len();
    let compared = if groups.saturating_mul(scores) <= COMPARED_MAX {
        compare_groups(&grouped_blocks(samples, &blocks), groups)
    } else {
        Vec::new()
    };
    let standings = blocks
        .into_iter()
        .enumerate()
        .map(|(group, (machine, blocks))| MachineStanding {
            machine,
            blocks: blocks.len() as u64,
            differences: (samples.names.iter().zip(&compared))
                .map(|(bot, of_bot)| MachineDifference {
                    bot: bot.clone(),
                    test: of_bot[group]
                        .as_ref()
                        .map_err(Untestable::clone)
                        .and_then(|found| {
                            Ok(MachineTest {
                                difference: Estimate::of_mean(&found.estimate, confidence)?,
                                p: found.p,
                                p_adjusted: found.p_adjusted,
                            })
                        })
                        .into(),
                })
                .collect(),
        });
    Ok(standings.collect())
}

/// Returns the scores of each bot with the machines of the blocks.
fn grouped_blocks(
    samples: &Samples,
    blocks: &BTreeMap<String, Vec<(u32, u32)>>,
) -> Vec<Vec<GroupedBlock>> {
    let groups: HashMap<(u32, u32), usize> = (blocks.values().enumerate())
        .flat_map(|(group, own)| own.iter().map(move |&block| (block, group)))
        .collect();
    let mut bots = vec![Vec::new(); samples.names.len()];
    for (number, line_up) in (0_u32..).zip(&samples.line_ups) {
        for (index, block) in line_up.blocks.iter().enumerate() {
            let key = block.label.number().map(|block| (number, block));
            let Some(&group) = key.and_then(|key| groups.get(&key)) else {
                continue;
            };
            for bot in &line_up.bots {
                if let Some(value) = bot.means.get(index).copied().flatten() {
                    bots[bot.entrant].push(GroupedBlock {
                        stratum: number as usize,
                        cluster: block.cluster,
                        group,
                        value,
                    });
                }
            }
        }
    }
    bots
}

/// Returns a warning if the results depend on the machine: the difference with the smallest
/// adjusted p, if that is significant.
pub(super) fn caution(machines: &[MachineStanding], alpha: f64) -> Option<String> {
    let (machine, (bot, test)) = machines
        .iter()
        .filter_map(|machine| Some((machine, machine.most_significant()?)))
        .filter(|(_, (_, test))| test.p_adjusted <= alpha)
        .min_by(|(_, (_, one)), (_, (_, other))| one.p.total_cmp(&other.p))?;
    Some(format!(
        "Results depend on the machine: on {}, which played {} of {}, {bot} scores {} points per \
         deal compared with the other machines ({} after Holm). A machine may be too slow for \
         limits of time, or its results are wrong: see the section Results by machine, and \
         `hattari verify`.",
        machine.machine,
        grouped(machine.blocks),
        counted(machines.iter().map(|machine| machine.blocks).sum(), "block"),
        signed(test.difference.value, decimals([test.difference.se])),
        p_equals(test.p_adjusted),
    ))
}
