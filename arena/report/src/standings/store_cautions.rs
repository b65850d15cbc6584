//! Warnings about the league of a store, its bots and its deals.

use hattari_agents::table;
use hattari_agents::text::counted;
use hattari_play::league::{self, DealSharing, Excluded, League};
use hattari_play::store::{MISSING_LIMITS_SEPARATOR, Store, StoreError};
use hattari_stats::Correction;
use hattari_stats::sequential::StoppingRule;
use std::collections::BTreeMap;

/// Maximum number of excluded entrants that are listed individually.
const EXCLUDED_MAX: usize = 20;

/// Returns the warnings that do not depend on scores. `league` is the current league file, if
/// available; `correction` overrides its correction.
///
/// # Errors
/// Returns an error if the store cannot be read.
pub(super) fn store_cautions(
    store: &Store,
    league: Option<&League>,
    correction: Option<Correction>,
) -> Result<Vec<String>, StoreError> {
    let played = store.league();
    let mut cautions = retired_method_cautions(league.unwrap_or(played), correction);
    cautions.extend(excluded_cautions(&played.excluded));
    cautions.extend(league.and_then(|league| changed_league_caution(store, league)));
    if let Err(why) = table::game(&played.game, &played.options) {
        cautions.push(format!(
            "This program does not contain the game of the league ({why}). The report uses the \
             unit `points` and assumes that the deals were drawn at random. Create the report with \
             the program that played the league."
        ));
    }
    cautions.extend(sandbox_cautions(store));
    for (entrant, output) in store.outputs()? {
        if let Some(entrant) = played.entrants.get(entrant) {
            let name = &entrant.name;
            cautions.push(format!("The program of {name} printed: {output}"));
        }
    }
    cautions.extend(fixed_deals_caution(played));
    Ok(cautions)
}

/// Returns cautions about statistical methods of version 0.2 that the league requests and that
/// other methods replace.
fn retired_method_cautions(league: &League, correction: Option<Correction>) -> Vec<String> {
    let mut cautions = Vec::new();
    let rule = league.sequential.as_ref().map(|sequential| sequential.rule);
    if matches!(rule, Some(StoppingRule::Betting(_))) {
        cautions.push(
            "The league was stopped by the rule `betting`, which is no longer available. Its \
             comparisons are judged by the confidence sequence, which is valid for every stopping \
             rule and decides nothing before 10 rounds."
                .to_owned(),
        );
    }
    if correction.is_none() && league.report.correction == league::Correction::BenjaminiHochberg {
        cautions.push(
            "The league asks for the correction of Benjamini and Hochberg, which is no longer \
             available: p values are adjusted by Holm's method."
                .to_owned(),
        );
    }
    cautions
}

/// Returns warnings about entrants that were left out of the league.
fn excluded_cautions(excluded: &[Excluded]) -> Vec<String> {
    let mut cautions: Vec<String> = excluded
        .iter()
        .take(EXCLUDED_MAX)
        .map(|excluded| format!("Entrant excluded because of an error in its bot: {excluded}."))
        .collect();
    if excluded.len() > EXCLUDED_MAX {
        let more = excluded.len() - EXCLUDED_MAX;
        cautions.push(format!(
            "Number of other entrants that are excluded for the same reason: {more} \
             (`about.league.excluded` of the JSON report lists all)."
        ));
    }
    cautions
}

/// Returns the differences between the league that was played and its file as it is now, other than
/// the number of blocks.
pub fn changes_of_league(store: &Store, league: &League) -> Vec<String> {
    let mut league = league.clone();
    // Entrants that were excluded when the league was played are still in the file.
    league.exclude_again(&store.league().excluded);
    // No key of the file: earlier versions of the program did not draw the order.
    league.draws_seats = store.league().draws_seats;
    let now = store.identity.with_league(league);
    store
        .identity
        .differences(&now, "as played", "in the file now")
}

/// Returns a warning if the league file differs from the league that was played.
fn changed_league_caution(store: &Store, league: &League) -> Option<String> {
    let changed = changes_of_league(store, league);
    let list = changed.join("; ");
    (!changed.is_empty())
        .then(|| format!("The league file has changed since these games were played: {list}."))
}

/// Returns warnings about bots that ran without some restrictions of the sandbox.
fn sandbox_cautions(store: &Store) -> Vec<String> {
    let programs = store.league().entrants.iter().zip(&store.identity.contents);
    let mut bots: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (entrant, program) in programs {
        if let Some((_, missing)) = program.kind.split_once(MISSING_LIMITS_SEPARATOR) {
            bots.entry(missing).or_default().push(&entrant.name);
        }
    }
    bots.into_iter()
        .map(|(missing, names)| {
            format!(
                "Not all limits could be set on the machine that started this league: {} ran \
                 without {missing}.",
                names.join(", ")
            )
        })
        .collect()
}

/// Returns a note on the interpretation of results from given deals; `None` if no deal is repeated.
pub fn fixed_deals_caution(league: &League) -> Option<String> {
    let sharing = DealSharing::of(league);
    if sharing.repeats_every_block() {
        return Some(
            "Every block plays the same given deals. The errors cover only the remaining \
             randomness, such as the random numbers of the bots. The results are valid for these \
             deals only."
                .to_owned(),
        );
    }
    let blocks = sharing
        .blocks_without_repeat()
        .filter(|blocks| *blocks < u64::from(league.blocks))?;
    let before = counted(blocks, "block");
    Some(format!(
        "The given deals repeat after {before}. A repeated deal is not a new observation: the \
         tests count different deals only, and more blocks give no information about other deals."
    ))
}
