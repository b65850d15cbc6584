//! The table of pairs, pooled over line-ups, and what they come to in words.

use super::{none, tone_of};
use crate::numbers::{decimals, fixed, interval, level, p_value, short, signed};
use crate::report::table::{Align, Cell, Section, Table};
use crate::standings::{Answer, Method, PairStanding, Standings, VerdictKind};
use crate::text::{counted, grouped};

/// Verdicts are told in sentences for so many pairs; beyond, the table says it shorter.
const SENTENCES_MAX: usize = 12;

/// The pairs, and their verdicts where they are few.
pub fn sections(standings: &Standings) -> Vec<Section> {
    if standings.pairs.is_empty() {
        return Vec::new();
    }
    let mut sections = vec![table(standings)];
    if standings.pairs.len() <= SENTENCES_MAX {
        let sentence = |pair: &PairStanding| match pair.verdict.kind {
            VerdictKind::Ahead | VerdictKind::Behind => format!("{}.", pair.verdict.text),
            _ => format!("{} and {}: {}.", pair.a, pair.b, pair.verdict.text),
        };
        let text = standings.pairs.iter().map(sentence).collect();
        sections.push(Section { text, ..Section::new("In words") });
    }
    sections
}

fn table(standings: &Standings) -> Section {
    let settings = &standings.settings;
    let tests = || standings.pairs.iter().filter_map(|pair| pair.pooled.tested());
    let digits = decimals(tests().map(|test| test.se));
    let confidence = format!("{} % CI", level(settings.confidence));
    let adjusted = format!("p {}", settings.correction_name().unwrap_or("unadjusted"));
    let required = format!("for {} %", level(settings.power));
    let mut table = Table::new(&[
        ("a", Align::Left),
        ("b", Align::Left),
        ("a − b", Align::Right),
        (&confidence, Align::Right),
        ("t", Align::Right),
        ("df", Align::Right),
        ("p", Align::Right),
        (&adjusted, Align::Right),
        ("d_z", Align::Right),
        ("blocks", Align::Right),
        (&required, Align::Right),
        ("a is", Align::Left),
    ]);
    let mut notes = vec![note(standings)];
    for pair in &standings.pairs {
        let mut row: Vec<Cell> = vec![pair.a.as_str().into(), pair.b.as_str().into()];
        match &pair.pooled {
            Answer::Tested(test) => row.extend([
                signed(test.difference, digits).into(),
                interval((test.low, test.high), digits).into(),
                fixed(test.t, 2).into(),
                degrees(test.df).into(),
                p_value(test.p).into(),
                p_value(test.p_adjusted).into(),
                fixed(test.effect_size, 2).into(),
                grouped(test.n).into(),
                test.required.map_or_else(none, |required| amount(required).into()),
            ]),
            Answer::NotTestable(why) => {
                row.push(pair.difference.map_or_else(none, |difference| signed(difference, digits).into()));
                row.extend([none(), none(), none(), none(), none(), none(), grouped(pair.blocks).into(), none()]);
                notes.push(format!("{} and {} are not testable: {why}.", pair.a, pair.b));
            }
        }
        row.push(Cell::toned(word(pair.verdict.kind), tone_of(pair.verdict.kind)));
        table.rows.push(row);
    }
    Section { table: Some(table), notes, ..Section::new("Pairs") }
}

fn note(standings: &Standings) -> String {
    let methods =
        |method| standings.pairs.iter().filter_map(|pair| pair.pooled.tested()).any(|test| test.method == method);
    let mut note = format!("a − b: points a {}; ", standings.about.unit);
    let mut made_by = Vec::new();
    if methods(Method::StratifiedBlocks) {
        made_by.push(
            "the mean over line-ups of the difference of block means, tested by t with the errors within line-ups",
        );
    }
    if methods(Method::PairedBlocks) {
        made_by.push("paired t on the differences of block means");
    }
    if methods(Method::WelchBlocks) {
        made_by.push("Welch's t on block means where two bots did not play the same blocks");
    }
    note += &made_by.join("; ");
    note += &match standings.settings.correction_name() {
        None => ". p is not adjusted".to_owned(),
        Some(name) => format!(". p adjusted by {name} over {}", counted(standings.family, "comparison")),
    };
    note += &format!(
        ". d_z: difference over its spread from block to block. for {} %: blocks in all that would show a difference of \
         this size at that power.",
        level(standings.settings.power)
    );
    note
}

fn word(kind: VerdictKind) -> &'static str {
    match kind {
        VerdictKind::Ahead => "ahead",
        VerdictKind::Behind => "behind",
        VerdictKind::NoDifference => "not different",
        VerdictKind::CannotTell => "cannot tell",
    }
}

/// Degrees of freedom: whole where they are.
pub fn degrees(df: f64) -> String {
    if df.fract() == 0.0 { fixed(df, 0) } else { fixed(df, 1) }
}

/// A number of blocks: exact while it is small.
fn amount(blocks: u64) -> String {
    if blocks < 100_000 { grouped(blocks) } else { short(blocks as f64) }
}
