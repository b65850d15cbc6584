//! A report as CSV files in a folder, for spreadsheets and other statistics programs: numbers in
//! full, a header line, and empty cells where there is no number. The columns are listed in
//! `arena/REPORTS.md`.

use crate::standings::{
    Answer, CongenialityCell, Estimate, Method, OurCell, SequentialPair, Standings, Test,
    VerdictKind,
};
use hattari_agents::files::NewFile;
use hattari_agents::text;
use hattari_play::samples::{FaultNote, Samples};
use std::io::Write;
use std::path::Path;

/// A table of a report that other formats hold, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// A row for each bot.
    Standings,
    /// A row for every two bots.
    Pairs,
    /// A row for each bot and block.
    Samples,
}

/// Hands the rows of a table on: the names of its columns, then each row; numbers in full, a cell
/// without one empty.
pub fn rows(table: Table, standings: &Standings, samples: &Samples, take: &mut dyn FnMut(&[&str])) {
    let sheet = &mut Sheet { take };
    match table {
        Table::Standings => bots(standings, sheet),
        Table::Pairs => pairs(standings, sheet),
        Table::Samples => blocks(samples, sheet),
    }
}

/// Fills a table.
type Fill<'a> = Box<dyn Fn(&mut Sheet<'_>) + 'a>;

/// The files of a report: names and what fills them.
fn files<'a>(standings: &'a Standings, samples: &'a Samples) -> Vec<(&'static str, Fill<'a>)> {
    let mut files: Vec<(&str, Fill<'a>)> = vec![
        ("standings.csv", Box::new(|sheet| bots(standings, sheet))),
        ("pairs.csv", Box::new(|sheet| pairs(standings, sheet))),
        ("lineups.csv", Box::new(|sheet| line_ups(standings, sheet))),
        ("faults.csv", Box::new(|sheet| faults(samples, sheet))),
        ("samples.csv", Box::new(|sheet| blocks(samples, sheet))),
    ];
    if standings.congeniality.is_some() {
        files.push((
            "congeniality.csv",
            Box::new(|sheet| congeniality(standings, sheet)),
        ));
    }
    files
}

/// The files of a report: name and contents.
///
/// # Panics
/// Never: memory takes everything, and cells are text.
#[must_use]
pub fn render(standings: &Standings, samples: &Samples) -> Vec<(&'static str, String)> {
    let text = |fill: Fill<'_>| {
        let bytes = written(Vec::new(), &fill).expect("memory takes everything");
        String::from_utf8(bytes).expect("cells are text")
    };
    files(standings, samples)
        .into_iter()
        .map(|(name, fill)| (name, text(fill)))
        .collect()
}

/// Writes the files into `folder`, which is made if there is none.
///
/// # Errors
/// The folder cannot be made or a file not be written.
pub fn write(folder: &Path, standings: &Standings, samples: &Samples) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, fill) in files(standings, samples) {
        written(NewFile::create(&folder.join(name))?, &fill)?.finish()?;
    }
    Ok(())
}

/// A table that is being filled, row by row; the first row names its columns.
struct Sheet<'a> {
    take: &'a mut dyn FnMut(&[&str]),
}

impl Sheet<'_> {
    fn row(&mut self, cells: impl IntoIterator<Item = impl AsRef<str>>) {
        let cells: Vec<_> = cells.into_iter().collect();
        (self.take)(&cells.iter().map(AsRef::as_ref).collect::<Vec<_>>());
    }
}

/// Writes a table to a file.
fn written<W: Write>(file: W, fill: &Fill<'_>) -> std::io::Result<W> {
    let mut writer = csv::Writer::from_writer(file);
    let mut outcome = Ok(());
    let mut take = |cells: &[&str]| {
        if outcome.is_ok() {
            outcome = writer.write_record(cells.iter().map(|cell| text::cell(cell).into_owned()));
        }
    };
    fill(&mut Sheet { take: &mut take });
    outcome?;
    writer.into_inner().map_err(|error| error.into_error())
}

fn optional(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn why<T>(answer: &Answer<T>) -> String {
    match answer {
        Answer::Tested(_) => String::new(),
        Answer::NotTestable(why) => why.clone(),
    }
}

fn estimate(answer: &Answer<Estimate>) -> [String; 3] {
    let part = |part: fn(&Estimate) -> f64| optional(answer.tested().map(part));
    [part(|e| e.se), part(|e| e.low), part(|e| e.high)]
}

fn bots(standings: &Standings, sheet: &mut Sheet<'_>) {
    let places = standings
        .bots
        .iter()
        .map(|bot| bot.places.len())
        .max()
        .unwrap_or(0);
    let names = (1..=places).map(|place| format!("place_{place}"));
    let after = [
        "faults",
        "forfeits",
        "decisions",
        "decisions_per_second",
        "worst_decision_ns",
        "not_testable",
        "lag1",
        "effective_deals",
        "killed_blocks",
        "kills",
    ];
    let after = after.map(String::from);
    let before = ["bot", "blocks", "deals", "points", "se", "low", "high"].map(String::from);
    sheet.row(before.into_iter().chain(names).chain(after));
    for bot in &standings.bots {
        let mut row = vec![
            bot.name.clone(),
            bot.blocks.to_string(),
            bot.deals.to_string(),
            optional(bot.mean),
        ];
        row.extend(estimate(&bot.estimate));
        row.extend((0..places).map(|place| optional(bot.places.get(place))));
        row.extend([
            bot.faults.to_string(),
            bot.forfeits.to_string(),
            bot.thinking.decisions.to_string(),
        ]);
        row.push(optional(bot.decisions_per_second));
        row.push(optional(
            (bot.thinking.timed > 0).then_some(bot.thinking.worst_nanos),
        ));
        row.push(why(&bot.estimate));
        let dependence = bot.dependence.tested();
        row.push(optional(dependence.map(|found| found.lag1)));
        row.push(optional(dependence.map(|found| found.effective_deals)));
        row.extend([bot.kills.blocks.to_string(), bot.kills.times.to_string()]);
        sheet.row(row);
    }
}

/// Faults in words, as the samples hold them.
fn faults(samples: &Samples, sheet: &mut Sheet<'_>) {
    sheet.row([
        "bot", "line_up", "block", "deal", "decision", "fault", "message",
    ]);
    for (number, line_up) in samples.line_ups.iter().enumerate() {
        for bot in &line_up.bots {
            for FaultNote {
                block,
                deal,
                decision,
                kind,
                message,
            } in bot.fault_notes.iter()
            {
                let place = [
                    number.to_string(),
                    block.to_string(),
                    deal.to_string(),
                    decision.to_string(),
                ];
                let mut row = vec![samples.names[bot.entrant].clone()];
                row.extend(place);
                row.extend([kind.name().to_owned(), message.clone()]);
                sheet.row(row);
            }
        }
    }
}

/// The columns of a test by blocks.
const TEST: [&str; 9] = [
    "n",
    "difference",
    "se",
    "low",
    "high",
    "t",
    "df",
    "p",
    "p_adjusted",
];

fn test(answer: &Answer<Test>) -> Vec<String> {
    let Some(test) = answer.tested() else {
        return vec![String::new(); TEST.len()];
    };
    let Test {
        n,
        difference,
        se,
        low,
        high,
        t,
        df,
        p,
        p_adjusted,
        ..
    } = test;
    let numbers = [difference, se, low, high, t, df, p, p_adjusted].map(f64::to_string);
    std::iter::once(n.to_string()).chain(numbers).collect()
}

fn pairs(standings: &Standings, sheet: &mut Sheet<'_>) {
    let after = [
        "effect_size",
        "blocks",
        "required_blocks",
        "verdict",
        "in_words",
        "not_testable",
        "design_effect",
    ];
    let header = ["a", "b", "method"]
        .into_iter()
        .chain(TEST)
        .chain(after)
        .chain(SEQUENTIAL)
        .chain(LATER);
    sheet.row(header);
    for pair in &standings.pairs {
        let tested = pair.pooled.tested();
        let method = tested.map_or("", |test| method(test.method));
        let mut row = vec![pair.a.clone(), pair.b.clone(), method.to_owned()];
        row.extend(test(&pair.pooled));
        row.push(optional(tested.map(|test| test.effect_size)));
        row.push(pair.blocks.to_string());
        row.push(optional(tested.and_then(|test| test.required)));
        row.extend([
            verdict(pair.verdict.kind).to_owned(),
            pair.verdict.text.clone(),
            why(&pair.pooled),
            optional(pair.design_effect),
        ]);
        row.extend(sequential(pair.sequential.as_deref()));
        row.push(optional(tested.and_then(|test| test.required_low)));
        row.push(optional(tested.and_then(|test| test.required_high)));
        row.push(optional(pair.equivalence.map(|equal| equal.p)));
        row.push(optional(pair.equivalence.map(|equal| equal.p_adjusted)));
        sheet.row(row);
    }
}

/// Columns that came later than the others, which keep their places.
const LATER: [&str; 4] = [
    "required_blocks_low",
    "required_blocks_high",
    "equivalence_p",
    "equivalence_p_adjusted",
];

/// The columns of a sequential league's rule; `sequential_first` less the other bot.
const SEQUENTIAL: [&str; 9] = [
    "sequential_first",
    "sequential_decision",
    "sequential_rounds",
    "sequential_estimate",
    "sequential_low",
    "sequential_high",
    "sequential_evidence",
    "sequential_evidence_kind",
    "sequential_bias",
];

fn sequential(pair: Option<&SequentialPair>) -> [String; SEQUENTIAL.len()] {
    let Some(pair) = pair else {
        return Default::default();
    };
    // The names that JSON has.
    let name = |value: serde_json::Result<serde_json::Value>| {
        value
            .ok()
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default()
    };
    [
        pair.first.clone(),
        name(serde_json::to_value(pair.decision)),
        pair.rounds.to_string(),
        optional(pair.estimate),
        optional(pair.low),
        optional(pair.high),
        optional(pair.evidence.map(|evidence| evidence.value)),
        optional(pair.evidence.map(|evidence| evidence.kind)),
        name(serde_json::to_value(pair.bias)),
    ]
}

fn method(method: Method) -> &'static str {
    match method {
        Method::PairedBlocks => "paired-blocks",
        Method::StratifiedBlocks => "stratified-blocks",
        Method::WelchBlocks => "welch-blocks",
        Method::ClusteredBlocks => "clustered-blocks",
        Method::PairedDeals => "paired-deals",
    }
}

fn verdict(kind: VerdictKind) -> &'static str {
    match kind {
        VerdictKind::Ahead => "ahead",
        VerdictKind::Behind => "behind",
        VerdictKind::Equal => "equal",
        VerdictKind::CannotTell => "cannot-tell",
    }
}

fn line_ups(standings: &Standings, sheet: &mut Sheet<'_>) {
    let deals = TEST.map(|column| format!("deals_{column}"));
    let header = [
        "line_up", "entrants", "blocks", "a", "b", "mean_a", "mean_b",
    ]
    .into_iter()
    .chain(TEST);
    let header = header
        .map(str::to_owned)
        .chain(deals)
        .chain(["not_testable".to_owned()]);
    sheet.row(header);
    let mut tests: Vec<_> = standings
        .pairs
        .iter()
        .flat_map(|pair| pair.line_ups.iter().map(move |at| (pair, at)))
        .collect();
    // Pairs stay in their order at each line-up.
    tests.sort_by_key(|(_, at)| at.line_up);
    for line_up in &standings.line_ups {
        let first = tests.partition_point(|(_, at)| at.line_up < line_up.line_up);
        for (pair, at) in tests[first..]
            .iter()
            .take_while(|(_, at)| at.line_up == line_up.line_up)
        {
            let mean = |name: &str| {
                line_up
                    .bots
                    .iter()
                    .find(|bot| bot.name == name)
                    .and_then(|bot| bot.mean)
            };
            let mut row = vec![
                line_up.line_up.to_string(),
                line_up.entrants.join(" "),
                line_up.blocks.to_string(),
            ];
            row.extend([
                pair.a.clone(),
                pair.b.clone(),
                optional(mean(&pair.a)),
                optional(mean(&pair.b)),
            ]);
            row.extend(test(&at.by_block).into_iter().chain(test(&at.by_deal)));
            row.push(why(&at.by_block));
            sheet.row(row);
        }
    }
}

fn blocks(samples: &Samples, sheet: &mut Sheet<'_>) {
    sheet.row([
        "line_up",
        "block",
        "deals",
        "bot",
        "mean",
        "forfeited",
        "cluster",
    ]);
    for (number, line_up) in samples.line_ups.iter().enumerate() {
        for (at, block) in line_up.blocks.iter().enumerate() {
            for bot in &line_up.bots {
                let forfeited = bot.forfeited.get(at).copied().unwrap_or(false);
                sheet.row([
                    number.to_string(),
                    block.label.to_string(),
                    block.deals.to_string(),
                    samples.names[bot.entrant].clone(),
                    optional(bot.means[at]),
                    u8::from(forfeited).to_string(),
                    block.cluster.to_string(),
                ]);
            }
        }
    }
}

fn congeniality(standings: &Standings, sheet: &mut Sheet<'_>) {
    const OURS: [&str; 6] = [
        "symbol",
        "ahead",
        "undecided",
        "behind",
        "untestable",
        "mixed",
    ];
    let prefixed = |prefix: &str| OURS.map(|column| format!("{prefix}_{column}"));
    let mut header = vec!["row".to_owned(), "column".to_owned()];
    header.extend(prefixed("blocks").into_iter().chain(prefixed("deals")));
    header.extend(["leading", "trailing", "published"].map(str::to_owned));
    sheet.row(header);
    let Some(ours) = &standings.congeniality else {
        return;
    };
    let cells = |cell: &OurCell| {
        let part = |part: fn(&hattari_stats::congeniality::Cell) -> String| {
            cell.cell.as_ref().map(part).unwrap_or_default()
        };
        [
            part(|cell| cell.symbol.ascii().to_owned()),
            part(|cell| cell.ahead.to_string()),
            part(|cell| cell.undecided.to_string()),
            part(|cell| cell.behind.to_string()),
            part(|cell| cell.untestable.to_string()),
            part(|cell| u8::from(cell.mixed).to_string()),
        ]
    };
    for (by_block, by_deal) in ours.by_block.iter().zip(&ours.by_deal) {
        let CongenialityCell { row, column, ours } = by_block;
        let published = standings.published.iter().flat_map(|beside| &beside.cells);
        let published = published
            .into_iter()
            .find(|cell| cell.row == *row && cell.column == *column);
        let mut line = vec![row.clone(), column.clone()];
        line.extend(cells(ours).into_iter().chain(cells(&by_deal.ours)));
        line.extend([ours.leading.to_string(), ours.trailing.to_string()]);
        line.push(optional(published.map(|cell| &cell.published)));
        sheet.row(line);
    }
}
