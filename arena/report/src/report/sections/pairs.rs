//! The table of pairs, pooled over line-ups, and the verdicts.

use super::verdicts::{TEXT_SENTENCES_MAX, sentence};
use super::*;
use crate::report::figures::heat::{self, HeatCell};
use crate::standings::{Method, Test};
use std::collections::BTreeMap;

/// Returns the table of pairs, and their verdicts if the pairs are few.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    if standings.pairs.is_empty() {
        return None;
    }
    let mut table = table(standings);
    table.text.extend(omitted_pairs(standings));
    let mut verdicts = None;
    // On a page, the order and the verdicts are in the first part.
    if !detail.is_page() {
        table.notes.extend(transitivity(standings));
        let text = if standings.is_adaptive() {
            Vec::new()
        } else if standings.pairs.len() <= TEXT_SENTENCES_MAX {
            standings.pairs.iter().map(sentence).collect()
        } else if detail.is_screen() {
            verdicts::section(standings).text
        } else {
            Vec::new()
        };
        verdicts = (!text.is_empty()).then(|| Section {
            text,
            ..Section::new("Verdicts")
        });
    }
    let sections = [Some(table), score_ratios(standings), verdicts];
    let mut part = ReportPart::new("pairs", "Head to head", "Head to head")
        .with(sections.into_iter().flatten());
    if detail.is_page() {
        part.figures.push(figure(standings));
    }
    Some(part)
}

/// Returns a sentence on the pairs that are left out of the table; `None` if it has all pairs.
fn omitted_pairs(standings: &Standings) -> Option<String> {
    let left = standings.left_out.as_ref()?;
    let (all, bots) = (grouped(left.pairs), left.bots);
    Some(format!(
        "The table shows the pairs among the first {bots} bots, out of {all} pairs in total. \
         `--pairs BOT` shows the pairs of one bot; `--format csv` and `--format json` write all \
         pairs."
    ))
}

fn figure(standings: &Standings) -> Figure {
    let shown = standings.left_out.as_ref().map_or(usize::MAX, |left| {
        usize::try_from(left.bots).unwrap_or(usize::MAX)
    });
    let names: Vec<&str> = standings
        .bots
        .iter()
        .take(shown)
        .map(|bot| bot.name.as_str())
        .collect();
    let digits = decimals(standings.pooled_tests().map(|test| test.se));
    let place = |name: &str| names.iter().position(|other| *other == name);
    let mut squares = vec![vec![None; names.len()]; names.len()];
    for pair in &standings.pairs {
        let (Some(a), Some(b)) = (place(&pair.a), place(&pair.b)) else {
            continue;
        };
        squares[a][b] = Some(heat_cell(pair, false, digits));
        squares[b][a] = Some(heat_cell(pair, true, digits));
    }
    let decided = |kind| {
        standings
            .pairs
            .iter()
            .filter(|pair| pair.verdict.kind == kind)
            .count()
    };
    let different = decided(VerdictKind::Ahead) + decided(VerdictKind::Behind);
    let label = format!(
        "Differences of {}pairs: {different} of {} are significant, {} are undecided.",
        if standings.left_out.is_some() {
            "the first "
        } else {
            "all "
        },
        standings.pairs.len(),
        decided(VerdictKind::CannotTell)
    );
    let caption = format!(
        "Row minus column, in {}. ▲ row significantly ahead, ▼ significantly behind, = equal \
         within the margin of the league, ? undecided. Blue is positive, orange negative. \
         Point at a cell to see p and effect size.",
        score_axis(standings)
    );
    heat::figure(&names, &squares, &label).caption(caption)
}

fn heat_cell(pair: &PairStanding, turned: bool, digits: usize) -> HeatCell {
    let PairStanding { a, b, verdict, .. } = pair;
    let (row, column, kind, sign) = if turned {
        (b, a, verdict.kind.mirrored(), -1.0)
    } else {
        (a, b, verdict.kind, 1.0)
    };
    let difference = pair.difference.map(|difference| sign * difference);
    let text = difference.map_or_else(|| NONE.to_owned(), |difference| signed(difference, digits));
    let title = match &pair.pooled {
        TestResult::Tested(test) => {
            let (low, high) = if turned {
                (-test.high, -test.low)
            } else {
                (test.low, test.high)
            };
            format!(
                "{row} minus {column}: {text} ({}), p {} raw, {} adjusted, effect size {}",
                interval((low, high), digits),
                p_value(test.p),
                p_value(test.p_adjusted),
                signed(sign * test.effect_size, 2)
            )
        }
        TestResult::NotTestable(why) => {
            format!("{row} minus {column}: {text}; not testable: {why}")
        }
    };
    HeatCell {
        difference,
        kind,
        text,
        title,
    }
}

/// Returns a table of score ratios: the share of the first bot of a pair in the scores of both.
/// Returns `None` if they were not requested.
fn score_ratios(standings: &Standings) -> Option<Section> {
    let ratios = || pairs_with(standings, |pair| pair.score_ratio.as_ref());
    let digits = digits_of(ratios().map(|(_, ratio)| ratio));
    let table = grid! { (pair, ratio) in ratios().map(|(pair, ratio)| (pair, ratio.tested()));
        "a", Left = &pair.a;
        "b", Left = &pair.b;
        "a / (a + b)", Right = fixed(ratio?.value, digits);
        "se", Right = fixed(ratio?.se, digits);
        &interval_header(standings), Right = unsigned_interval(ratio?.ends(), digits);
    };
    let mut section = Section::of("Score ratios", table.keyed_by(2))
        .folded()
        .note(
            "Share of a in the points that both scored at the same tables; standard error by the \
         delta method over blocks.",
        );
    section.notes.extend(ratios().filter_map(|(pair, ratio)| {
        let why = ratio.reason()?;
        Some(format!("{} and {}: no ratio: {why}.", pair.a, pair.b))
    }));
    section.unless_empty()
}

fn table(standings: &Standings) -> Section {
    let settings = &standings.settings;
    let digits = decimals(standings.pooled_tests().map(|test| test.se));
    let adjusted = if settings.correction_name().is_some() {
        "p adjusted"
    } else {
        "p unadjusted"
    };
    let rows = standings.pairs.iter();
    let table = grid! { (pair, test) in rows.map(|pair| (pair, pair.pooled.tested()));
        "a", Left = &pair.a;
        "b", Left = &pair.b;
        "a − b", Right = signed(pair.difference?, digits);
        &interval_header(standings), Right = interval(test?.ends(), digits);
        "t", Right = fixed(test?.t, 2);
        "df", Right = degrees(test?.df);
        "p", Right = p_value(test?.p);
        adjusted, Right = p_value(test?.p_adjusted);
        "d_z", Right = fixed(test?.effect_size, 2);
        "blocks", Right = test.map_or(pair.blocks, |test| test.n);
        &format!("blocks for {} % power", level(settings.power)), Right = test.and_then(required);
        "verdict", Left = {
            let kind = pair.verdict.kind;
            // From the point of view of bot `a`.
            let words = ["ahead", "behind", "equal", "undecided"];
            Cell::coloured(words[kind as usize], colour_of(kind))
        };
    };
    let mut section = Section::of("Pairs", table.keyed_by(2))
        .note(note(standings))
        .caption("All pairs: differences, raw and adjusted p values, effect sizes")
        .folded();
    let untestable: Vec<_> = pairs_with(standings, |pair| pair.pooled.reason()).collect();
    section.notes.extend(not_testable(&untestable));
    section
}

/// Returns the table of pairs for a paper, with fewer columns.
pub(super) fn for_paper(standings: &Standings) -> Section {
    let mut section = table(standings);
    let columns = [
        "a",
        "b",
        "a − b",
        &interval_header(standings),
        "p adjusted",
        "p unadjusted",
        "d_z",
        "verdict",
    ];
    section.table = section.table.map(|table| table.only(&columns));
    let adjusted = adjusted(standings).map_or_else(String::new, |by| format!("; p adjusted {by}"));
    section.notes = vec![format!(
        "a − b in {}{adjusted}; d_z: difference divided by its standard deviation between blocks.",
        score_axis(standings)
    )];
    section.notes.extend(omitted_pairs(standings));
    section
}

/// Returns the reasons why pairs are not testable, as sentences: one for each pair if they are few
/// and the reasons differ, otherwise counts.
fn not_testable(pairs: &[(&PairStanding, &str)]) -> Vec<String> {
    let are_alike = pairs.iter().all(|(_, why)| *why == pairs[0].1);
    if pairs.len() <= if are_alike { 1 } else { TEXT_SENTENCES_MAX } {
        return pairs
            .iter()
            .map(|(pair, why)| format!("{} and {} are not testable: {why}.", pair.a, pair.b))
            .collect();
    }
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    pairs
        .iter()
        .for_each(|(_, why)| *counts.entry(why).or_default() += 1);
    counts
        .into_iter()
        .map(|(why, pairs)| format!("{} not testable: {why}.", counted(pairs, "pair")))
        .collect()
}

/// Returns a sentence on the adjustment of p and the number of comparisons; `None` if p is not
/// adjusted.
pub(super) fn adjusted(standings: &Standings) -> Option<String> {
    let name = standings.settings.correction_name()?;
    let others = standings
        .pooled_tests()
        .filter(|test| test.adjusted_by != standings.settings.correction)
        .count() as u64;
    let by_holm = match others {
        0 => String::new(),
        few => format!(
            ", for {} by Holm, because no pattern of flipped signs was as extreme as the scores, \
             so the patterns give only an upper bound of p",
            counted(few, "pair")
        ),
    };
    Some(format!(
        "by {name} over {}{by_holm}",
        counted(standings.family, "comparison")
    ))
}

/// Returns the texts of the methods with which pairs were tested.
pub(super) fn used_methods(
    standings: &Standings,
    texts: &[(Method, &'static str)],
) -> Vec<&'static str> {
    let is_used = |method| standings.pooled_tests().any(|test| test.method == method);
    texts
        .iter()
        .filter(|(method, _)| is_used(*method))
        .map(|(_, text)| *text)
        .collect()
}

fn note(standings: &Standings) -> String {
    let mut note = format!("a − b: {}; ", score_axis(standings));
    let made_by = used_methods(
        standings,
        &[
            (
                Method::StratifiedBlocks,
                "difference of block means, averaged over line-ups, with a t-test on the errors \
                 within line-ups",
            ),
            (
                Method::PairedBlocks,
                "paired t-test on the differences of block means",
            ),
            (
                Method::ClusteredBlocks,
                "t-test on one number for each set of blocks with the same cards, the mean over \
                 line-ups (the column `blocks` counts sets)",
            ),
            (
                Method::WelchBlocks,
                "Welch's t-test on block means if the two bots did not play the same blocks",
            ),
        ],
    );
    if made_by.is_empty() {
        return note + "no pair can be tested.";
    }
    note += &made_by.join("; ");
    note += &match adjusted(standings) {
        None => ". p is not adjusted".to_owned(),
        Some(by) => format!(". p adjusted: {by}"),
    };
    let settings = &standings.settings;
    note += &format!(
        ". d_z: difference divided by its standard deviation between blocks. Blocks for {} % \
         power: number of blocks needed to show a difference of this size with that power, by \
         the same test; in brackets its {} % confidence interval, because the size is uncertain \
         (“or more”: no upper limit).",
        level(settings.power),
        level(settings.confidence),
    );
    match settings.equal_within {
        Some(margin) => {
            let adjusted = settings.other_correction_name().map_or_else(
                || "not adjusted".to_owned(),
                |by| format!("adjusted by {by}"),
            );
            note += &format!(
                " equal: the difference is significantly smaller than {margin} (two one-sided \
                 t-tests, corrected for skewness, p {adjusted}). undecided: neither equal nor a significant difference."
            )
        }
        None => {
            note += " undecided: there is no significant difference, which does not mean \
             that the bots are equal."
        }
    }
    note
}

/// Returns a sentence on transitivity and cycles.
pub(super) fn transitivity(standings: &Standings) -> Option<String> {
    let relation = standings.relation.as_ref()?;
    let share = relation
        .transitive_share
        .tested()
        .map_or_else(String::new, |share| {
            format!(
                "A single rating per bot explains {} % of the variance of the differences; ",
                percent(*share)
            )
        });
    let no = if share.is_empty() { "No" } else { "no" };
    let cycles = match &relation.cycles[..] {
        [] => format!("{no} intransitive triples"),
        [[a, b, c]] => format!("1 intransitive triple: {a} beats {b} beats {c} beats {a}"),
        [[a, b, c], ..] => {
            format!(
                "{} intransitive triples, for example {a} beats {b} beats {c} beats {a}",
                relation.cycle_count
            )
        }
    };
    Some(format!("{share}{cycles}."))
}

/// Returns degrees of freedom as text, without decimals if whole.
pub(super) fn degrees(df: f64) -> String {
    if df.fract() == 0.0 {
        fixed(df, 0)
    } else {
        fixed(df, 1)
    }
}

/// Returns the number of required blocks with its confidence interval; `None` if there is no
/// interval.
fn required(test: &Test) -> Option<String> {
    let amount = |blocks: u64| {
        if blocks < 100_000 {
            grouped(blocks)
        } else {
            short(blocks as f64)
        }
    };
    let range = match (test.required_low?, test.required_high) {
        (low, Some(high)) => format!("{} to {}", amount(low), amount(high)),
        (low, None) => format!("{} or more", amount(low)),
    };
    let blocks = test.required.map_or_else(|| NONE.to_owned(), amount);
    Some(format!("{blocks} ({range})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standings::{LeftOut, Transitivity};

    /// Returns the sentence on the order of bots with these cycles.
    fn sentence_on(transitive_share: TestResult<f64>, cycles: &[[&str; 3]]) -> String {
        let relation = Some(Transitivity {
            transitive_share,
            cycles: cycles
                .iter()
                .map(|names| names.map(str::to_owned))
                .collect(),
            cycle_count: cycles.len() as u64,
        });
        let standings = Standings {
            relation,
            ..Standings::default()
        };
        transitivity(&standings).expect("there is a relation")
    }

    #[test]
    fn the_sentence_on_the_order_begins_with_a_capital_letter() {
        let unknown = || TestResult::NotTestable("too few bots".to_owned());
        assert_eq!(sentence_on(unknown(), &[]), "No intransitive triples.");
        assert_eq!(
            sentence_on(TestResult::Tested(0.996), &[]),
            "A single rating per bot explains 99.6 % of the variance of the differences; no \
             intransitive triples."
        );
        assert_eq!(
            sentence_on(unknown(), &[["a", "b", "c"]]),
            "1 intransitive triple: a beats b beats c beats a."
        );
        assert_eq!(
            sentence_on(unknown(), &[["a", "b", "c"], ["a", "b", "d"]]),
            "2 intransitive triples, for example a beats b beats c beats a."
        );
    }

    #[test]
    fn the_table_for_papers_says_which_pairs_it_omits() {
        let mut standings = Standings::default();
        assert_eq!(for_paper(&standings).notes.len(), 1);
        standings.left_out = Some(LeftOut {
            pairs: 495,
            bots: 20,
            tallies: Vec::new(),
        });
        let notes = for_paper(&standings).notes;
        assert_eq!(notes.len(), 2);
        assert!(
            notes[1].contains("the first 20 bots, out of 495 pairs"),
            "{notes:?}"
        );
    }
}
