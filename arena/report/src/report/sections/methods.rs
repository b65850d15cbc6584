//! The paragraph for the methods section of a paper, made from the data of the report.

use super::*;
use crate::report::latex;
use crate::standings::{AboutEntrant, AcrossLeagues, LeagueOfSeveral, Method, SequentialRule};
use hattari_stats::sequential::StoppingRule;

/// Maximum number of entrants whose versions the paragraph lists.
const ENTRANTS_MAX: usize = 30;

/// Returns the paragraph; on a page, as text and as LaTeX for copying. Returns `None` for a short
/// report.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    if detail.is_screen() {
        return None;
    }
    let text = paragraph(standings);
    let mut part = ReportPart::new("methods", "Methods", "Methods paragraph");
    if detail.is_page() {
        let latex = latex::escape(&text);
        part.listings = vec![("Plain text".to_owned(), text), ("LaTeX".to_owned(), latex)];
        return Some(part);
    }
    Some(part.with([Section {
        text: vec![text],
        ..Section::new("Methods")
    }]))
}

/// Returns the paragraph. Every sentence depends on a setting or result of the report, so the
/// paragraph names only what was done.
pub(in crate::report) fn paragraph(standings: &Standings) -> String {
    let about = &standings.about;
    let mut sentences = match &about.league {
        Some(league) => played(standings, league),
        None => vec![format!(
            "The scores of {} in {} were read from a file and tested with Hattari {}.",
            counted(standings.bots.len() as u64, "bot"),
            counted(standings.progress.blocks_played, "block"),
            about.version
        )],
    };
    sentences.extend(tested(standings));
    sentences.join(" ")
}

/// Returns sentences on the games.
fn played(standings: &Standings, league: &AboutLeague) -> Vec<String> {
    let progress = standings.progress;
    let mut sentences = vec![
        format!(
            "We played {} (preset {}; {}) with Hattari {} and seed {}.",
            league.game,
            league.preset,
            options(league),
            standings.about.version,
            league.seed
        ),
        format!(
            "The format was {}, with {}, {} planned per line-up and {} per block; {} of {} blocks \
             ({}) were played.",
            league.format,
            counted(progress.line_ups, "line-up"),
            counted(league.blocks.into(), "block"),
            counted(league.deals.into(), "deal"),
            grouped(progress.blocks_played),
            grouped(progress.blocks.max(progress.blocks_played)),
            counted(progress.deals_played, "deal"),
        ),
    ];
    if league.duplicate {
        sentences.push("Each deal was repeated for every rotation of the seats.".to_owned());
    }
    if league.same_deals {
        sentences.push("All line-ups had the same deals.".to_owned());
    }
    let entrant = |entrant: &AboutEntrant| {
        // The hash of a built-in bot consists of its version and the version of the rules.
        let file = match entrant.version.as_str() {
            "" => format!("file hash {}", entrant.hash),
            version if entrant.hash.contains(version) => entrant.hash.clone(),
            version => format!("version {version}, file hash {}", entrant.hash),
        };
        format!("{} ({}, {file})", entrant.name, entrant.bot)
    };
    let shown = league.entrants.len().min(ENTRANTS_MAX);
    let names = joined(league.entrants[..shown].iter().map(entrant), "; ");
    let more = match league.entrants.len() - shown {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    sentences.push(format!("The entrants were {names}{more}."));
    if !league.excluded.is_empty() {
        let excluded = counted(league.excluded.len() as u64, "entrant");
        sentences.push(format!("{excluded} did not start and took no part."));
    }
    let faults: u64 = standings.bots.iter().map(|bot| bot.faults).sum();
    sentences.push(match faults {
        0 => "No bot committed a fault.".to_owned(),
        _ => format!(
            "The bots committed {}; after a fault, {}.",
            counted(faults, "fault"),
            league.faults
        ),
    });
    sentences
}

/// Returns the options of the rules as a list.
fn options(league: &AboutLeague) -> String {
    let options = reproduce::option_texts(league);
    joined(
        options.map(|(name, value)| format!("{name} = {value}")),
        ", ",
    )
}

/// Returns sentences on the tests.
fn tested(standings: &Standings) -> Vec<String> {
    let settings = &standings.settings;
    let mut sentences = vec![format!(
        "The unit of observation is the block; intervals have {} % confidence.",
        level(settings.confidence)
    )];
    if standings.luck.as_ref().is_some_and(|luck| luck.is_adjusted) {
        sentences.push(
            "Scores were adjusted for luck by a regression on estimates of the chance events, with \
             coefficients fitted to other blocks."
                .to_owned(),
        );
    }
    if standings.is_adaptive() {
        sentences.push(
            "Earlier results chose the pairings, so no differences were tested in this report."
                .to_owned(),
        );
        return sentences;
    }
    sentences.extend(standings.sequential.as_ref().map(stopped));
    sentences.extend(differences(standings));
    if let Some(margin) = settings.equal_within {
        let by = settings.other_correction_name();
        let by = by.map_or_else(String::new, |name| format!(", adjusted by {name}"));
        sentences.push(format!(
            "Equivalence within {margin} {} was tested with two one-sided t-tests, corrected for skewness{by}.",
            score_axis(standings)
        ));
    }
    sentences.extend(standings.across.as_deref().and_then(several_leagues));
    if let TestResult::Tested(tiers) = &standings.tiers
        && tiers.groups.len() > 1
    {
        sentences.push(format!(
            "Bots were divided into {}: every bot above a boundary is significantly ahead of every \
             bot below.",
            counted(tiers.groups.len() as u64, "tier")
        ));
    }
    sentences
}

/// Returns a sentence on the stopping rule.
fn stopped(rule: &SequentialRule) -> String {
    let name = match rule.rule.current() {
        StoppingRule::Sprt(_) => "Wald's sequential probability ratio test",
        _ => "asymptotic confidence sequences",
    };
    format!(
        "A stopping rule ({name}) that was fixed in advance decided {} of {}, with one error level \
         shared by all.",
        grouped(rule.decided),
        counted(rule.comparisons, "comparison"),
    )
}

/// Returns a sentence on the tests of differences; `None` if there were none.
fn differences(standings: &Standings) -> Option<String> {
    let names = [
        (Method::PairedBlocks, "paired t-tests on block means"),
        (
            Method::StratifiedBlocks,
            "t-tests on block means, stratified by line-up with Satterthwaite's degrees of freedom",
        ),
        (
            Method::ClusteredBlocks,
            "t-tests on the means of clusters of blocks with the same cards",
        ),
        (Method::WelchBlocks, "Welch's t-tests on block means"),
    ];
    let used = pairs::used_methods(standings, &names);
    let adjusted = match pairs::adjusted(standings) {
        Some(by) if standings.family > 1 => format!("p values were adjusted {by}"),
        _ if standings.family > 1 => "p values were not adjusted".to_owned(),
        _ => "there was one comparison".to_owned(),
    };
    (!used.is_empty()).then(|| {
        format!(
            "Differences were tested with two-sided {} at level {} %; {adjusted}.",
            used.join(" and "),
            level(standings.settings.alpha())
        )
    })
}

/// Returns a sentence on the comparison with other leagues; `None` if no pair was tested.
fn several_leagues(across: &AcrossLeagues) -> Option<String> {
    if !across
        .pairs
        .iter()
        .any(|pair| pair.interaction.tested().is_some())
    {
        return None;
    }
    let league = |league: &LeagueOfSeveral| {
        let options = across
            .options
            .iter()
            .zip(&league.values)
            .map(|(name, value)| format!("{name} = {value}, "));
        format!("{}seed {}", options.collect::<String>(), league.seed)
    };
    Some(format!(
        "Welch's F test compared the differences over {} ({}), p adjusted by Holm.",
        counted(across.leagues.len() as u64, "league"),
        joined(across.leagues.iter().map(league), "; ")
    ))
}
