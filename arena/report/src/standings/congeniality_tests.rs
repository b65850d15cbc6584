//! Tests of the symbols of congeniality and of their comparison with published ones.

use super::published_comparison::{compare, compare_with_published};
use super::{
    Agreement, Agreements, CellResult, Congeniality, CongenialityCell, Published, PublishedTable,
    Symbol, SymbolCell, TestResult,
};

/// Returns the cell of line-ups that are significantly ahead (`+`), behind (`-`), undecided
/// (`0`) or untestable (`?`).
fn symbol_cell(line_ups: &str) -> Option<SymbolCell> {
    let test = |line_up: char| match line_up {
        '+' => Some((0.1, 1e-9)),
        '-' => Some((-0.1, 1e-9)),
        '0' => Some((0.1, 0.9)),
        _ => None,
    };
    SymbolCell::of(&line_ups.chars().map(test).collect::<Vec<_>>(), 0.05)
}

#[test]
fn congeniality_symbols_are_determined_by_line_up_results() {
    for (line_ups, symbol) in [
        ("+++", Some(Symbol::AlwaysAhead)),
        ("+0+", Some(Symbol::MostlyAhead)),
        // Half is enough.
        ("+0", Some(Symbol::MostlyAhead)),
        ("+00", Some(Symbol::Even)),
        // As often behind as ahead.
        ("+-", Some(Symbol::Even)),
        ("++-", Some(Symbol::MostlyAhead)),
        ("--+", Some(Symbol::MostlyBehind)),
        ("-", Some(Symbol::AlwaysBehind)),
        ("0000", Some(Symbol::Even)),
        // Untestable line-ups never cause a symbol.
        ("+?", Some(Symbol::MostlyAhead)),
        ("+??", Some(Symbol::Even)),
        ("??", None),
        ("", None),
    ] {
        let result = symbol_cell(line_ups);
        assert_eq!(result.map(|cell| cell.symbol), symbol, "{line_ups}");
        assert!(result.is_none_or(|cell| cell.line_ups() == line_ups.len()));
    }
}

#[test]
fn an_insignificant_reversal_does_not_make_a_cell_mixed() {
    let mut tests: Vec<Option<(f64, f64)>> = vec![Some((0.1, 1e-6)); 9];
    tests.push(Some((-0.1, 0.03)));
    tests.push(None);
    let cell = SymbolCell::of(&tests, 0.05).expect("testable");
    assert_eq!(
        (cell.ahead, cell.behind, cell.untestable, cell.symbol),
        (9, 1, 1, Symbol::MostlyAhead)
    );
    assert!(
        cell.mixed,
        "0.03 is the last of Holm's steps: nothing is left to adjust it for"
    );
    tests.extend([Some((0.1, 0.4)); 9]);
    assert!(
        !SymbolCell::of(&tests, 0.05).expect("testable").mixed,
        "one of nineteen at 0.03 is chance"
    );
    tests[9] = Some((-0.1, 1e-5));
    assert!(SymbolCell::of(&tests, 0.05).expect("testable").mixed);
}

#[test]
fn significance_requires_p_at_most_alpha_and_a_nonzero_difference() {
    for (test, symbol) in [
        ((0.1, 0.05), Symbol::AlwaysAhead),
        ((-0.1, 0.01), Symbol::AlwaysBehind),
        ((0.1, 0.051), Symbol::Even),
        ((0.0, 0.01), Symbol::Even),
    ] {
        let cell = SymbolCell::of(&[Some(test)], 0.05).expect("testable");
        assert_eq!(cell.symbol, symbol, "{test:?}");
    }
}

#[test]
fn symbols_are_parsed_and_printed_in_both_forms() {
    for (symbol, level) in Symbol::ALL.into_iter().zip(-2..) {
        assert_eq!(symbol.glyph().parse(), Ok(symbol));
        assert_eq!(symbol.ascii().parse(), Ok(symbol));
        assert_eq!(symbol.level(), level);
    }
    assert!("+++".parse::<Symbol>().is_err());
}

/// Returns one of our cells, made from the significant line-ups and the counts of line-ups with
/// a higher and a lower score.
fn our_cell(line_ups: &str, leading: u32, trailing: u32) -> CellResult {
    CellResult {
        cell: symbol_cell(line_ups),
        leading,
        trailing,
    }
}

#[test]
fn cell_agreement_is_counted_by_symbol_and_by_direction() {
    let cell = |row: &str, column: &str, ours| CongenialityCell {
        row: row.into(),
        column: column.into(),
        ours,
    };
    let by_block = vec![
        cell("a", "b", our_cell("++", 2, 0)),
        cell("a", "c", our_cell("+0-", 2, 1)),
        cell("b", "a", our_cell("--", 0, 2)),
        cell("b", "c", our_cell("00", 1, 1)),
    ];
    let ours = Congeniality {
        names: Vec::new(),
        by_block,
        by_deal: Vec::new(),
        error_ratio: None,
    };
    let symbol = |symbol| Some(Published::Symbol(symbol));
    let published = PublishedTable {
        source: "A paper".into(),
        table: "one".into(),
        exception: Some("depends".into()),
        columns: vec!["a".into(), "b".into(), "c".into()],
        rows: vec![
            (
                "a".into(),
                vec![
                    None,
                    symbol(Symbol::MostlyAhead),
                    Some(Published::Exception),
                ],
            ),
            (
                "b".into(),
                vec![
                    symbol(Symbol::AlwaysBehind),
                    None,
                    Some(Published::Exception),
                ],
            ),
            (
                "c".into(),
                vec![symbol(Symbol::Even), symbol(Symbol::Even), None],
            ),
        ],
    };
    let comparison = compare_with_published(&published, Some(&ours), |row, column| {
        TestResult::NotTestable(format!("{row} {column}"))
    });
    let agreements: Vec<_> = comparison
        .cells
        .iter()
        .map(|c| (c.by_block.agreement, c.by_block.same_direction))
        .collect();
    use Agreement::{Missing, OneStep, Same};
    assert_eq!(
        agreements,
        [
            (OneStep, true),
            (Same, true),
            (Same, true),
            (OneStep, true),
            (Missing, false),
            (Missing, false)
        ]
    );
    assert_eq!(
        comparison.by_block,
        Agreements {
            cells: 6,
            same: 2,
            same_direction: 4,
            missing: 2
        }
    );
    assert_eq!(
        comparison.by_deal,
        Agreements {
            cells: 6,
            same: 0,
            same_direction: 0,
            missing: 6
        }
    );
    assert_eq!(comparison.cells[1].published, "*");
    assert_eq!(
        comparison.cells[1].difference,
        TestResult::NotTestable("a c".into())
    );
}

#[test]
fn a_published_exception_agrees_only_with_a_mixed_cell() {
    let agreement =
        |line_ups: &str, published| compare(our_cell(line_ups, 0, 0), published).agreement;
    assert_eq!(agreement("++-", Published::Exception), Agreement::Same);
    assert_eq!(agreement("++", Published::Exception), Agreement::Differs);
    assert_eq!(agreement("?", Published::Exception), Agreement::Missing);
    let even = Published::Symbol(Symbol::Even);
    assert_eq!(agreement("++", even), Agreement::Differs);
}

/// Returns the published tables: `[table][row][column]`.
fn published_tables() -> [Vec<Vec<Option<Published>>>; 2] {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/congeniality.json"
    );
    ["table1", "table3"].map(|name| {
        let table = PublishedTable::load(path.as_ref(), name).expect("a table");
        let row = |column: &String| {
            let mut rows = table.rows.iter();
            let row = rows.find(|(name, _)| name == column);
            row.expect("a row").1.clone()
        };
        table.columns.iter().map(row).collect()
    })
}

#[test]
fn published_tables_are_antisymmetric_and_agree_with_equal_results() {
    for table in published_tables() {
        // Four line-ups for which our rule gives the published symbol.
        let line_ups = |published: Published| match published {
            Published::Exception => "+-+-",
            Published::Symbol(Symbol::AlwaysAhead) => "++++",
            Published::Symbol(Symbol::MostlyAhead) => "+0+0",
            Published::Symbol(Symbol::Even) => "0+00",
            Published::Symbol(Symbol::MostlyBehind) => "--0-",
            Published::Symbol(Symbol::AlwaysBehind) => "----",
        };
        let ours = |row: &Vec<Option<Published>>| {
            let cells = row.iter().map(|cell| cell.map_or("", line_ups).to_owned());
            cells.collect::<Vec<String>>()
        };
        let ours: Vec<Vec<String>> = table.iter().map(ours).collect();
        let agreements = |ours: &dyn Fn(usize, usize) -> String, wanted: Agreement| {
            let cells = (0..7).flat_map(|i| (0..7).map(move |j| (i, j)));
            let published = cells.filter_map(|(i, j)| Some((i, j, table[i][j]?)));
            published
                .filter(|&(i, j, published)| {
                    compare(our_cell(&ours(i, j), 0, 0), published).agreement == wanted
                })
                .count()
        };
        assert_eq!(agreements(&|i, j| ours[i][j].clone(), Agreement::Same), 42);
        // A row against a column has the mirrored symbol of the column against the row.
        let mirrored = |i: usize, j: usize| {
            let mirror = |line_up| match line_up {
                '+' => '-',
                '-' => '+',
                other => other,
            };
            ours[j][i].chars().map(mirror).collect()
        };
        assert_eq!(agreements(&mirrored, Agreement::Same), 42);
        let altered = |i: usize, j: usize| match (i, j) {
            (0, 4) => "---".to_owned(),
            (0, 3) => "?".to_owned(),
            _ => ours[i][j].clone(),
        };
        let counts = [Agreement::Same, Agreement::Differs, Agreement::Missing];
        assert_eq!(
            counts.map(|wanted| agreements(&altered, wanted)),
            [40, 1, 1]
        );
    }
}
