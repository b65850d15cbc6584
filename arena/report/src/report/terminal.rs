//! Reports for the terminal: fitted to its width, readable without colour.

use super::table::{Align, Cell, CellColour, Column, Grid, Section};
use console::{Alignment, Style, measure_text_width, pad_str};
use hattari_agents::text::{self, joined};

/// Width and colours of the output.
#[derive(Debug)]
pub struct Screen {
    /// Width in columns.
    pub width: usize,
    /// `true` if colours are used.
    pub colour: bool,
}

/// Width of output that is not a terminal, in columns.
const WIDTH_DEFAULT: usize = 120;
/// Minimum width of a terminal, in columns.
const WIDTH_MIN: usize = 40;
/// Minimum width to which a column of sentences is narrowed. If the table is still too wide, it is
/// split.
const WRAP_LEAST: usize = 28;
/// Separator between columns.
const GAP: &str = "  ";

impl Screen {
    /// Returns the width and colours of standard output. A terminal has colours unless `NO_COLOR`
    /// is set or `TERM` is `dumb`. A pipe has a fixed width and no colours.
    pub(crate) fn of_stdout() -> Screen {
        let term = console::Term::stdout();
        let width = term
            .size_checked()
            .map_or(WIDTH_DEFAULT, |(_, columns)| usize::from(columns));
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Screen {
            width: width.max(WIDTH_MIN),
            colour: term.is_term() && !no_colour && !dumb,
        }
    }

    /// Returns the width and colours of a pipe or file.
    pub fn plain() -> Screen {
        Screen {
            width: WIDTH_DEFAULT,
            colour: false,
        }
    }
}

/// Returns the sections as text, one after another.
pub fn render(sections: &[Section], screen: Screen) -> String {
    let mut page = TerminalPage {
        screen,
        text: String::new(),
    };
    for (number, section) in sections.iter().enumerate() {
        if number > 0 {
            page.text.push('\n');
        }
        page.section(section);
    }
    page.text
}

/// A page under construction. Control characters and line breaks in texts become spaces, so that
/// names cannot imitate our output.
struct TerminalPage {
    screen: Screen,
    text: String,
}

impl TerminalPage {
    fn section(&mut self, section: &Section) {
        let heading = text::escape_line(&section.heading);
        let heading = self.style(Style::new().bold(), &heading);
        self.line(&heading);
        self.prose(&section.text, Style::new());
        if let Some(table) = &section.table {
            self.table(table);
        }
        self.prose(&section.notes, Style::new().dim());
    }

    fn prose(&mut self, sentences: &[String], style: Style) {
        for sentence in sentences {
            for line in wrap(&text::escape_line(sentence), self.screen.width) {
                let line = self.style(style.clone(), &line);
                self.line(&line);
            }
        }
    }

    fn table(&mut self, table: &Grid) {
        let widths = widths(table, self.screen.width);
        for columns in chunks(&widths, table.keys, self.screen.width) {
            let header = |&c: &usize| {
                let text = text::escape_line(&table.columns[c].header);
                (c, vec![text.into_owned()], Style::new().dim())
            };
            let header = columns.iter().map(header).collect();
            self.row(table, &widths, header);
            let rules = columns.iter().map(|&c| "─".repeat(widths[c]));
            self.line(&joined(rules, GAP));
            for row in &table.rows {
                let cell = |&c: &usize| {
                    (
                        c,
                        cell_lines(&table.columns[c], &row[c], widths[c]),
                        style_of(row[c].colour),
                    )
                };
                self.row(table, &widths, columns.iter().map(cell).collect());
            }
        }
    }

    /// Prints one row. `cells` are the index of the column, the lines and the style of each cell.
    fn row(&mut self, table: &Grid, widths: &[usize], cells: Vec<(usize, Vec<String>, Style)>) {
        let heights = cells.iter().map(|(_, lines, _)| lines.len());
        for number in 0..heights.max().unwrap_or(0) {
            let mut line = String::new();
            for (place, (column, lines, style)) in cells.iter().enumerate() {
                let text = lines.get(number).map_or("", String::as_str);
                let alignment = match table.columns[*column].align {
                    Align::Left | Align::Wrap => Alignment::Left,
                    Align::Right => Alignment::Right,
                    Align::Centre => Alignment::Center,
                };
                let padded = pad_str(text, widths[*column], alignment, None);
                if place > 0 {
                    line += GAP;
                }
                line += &self.style(style.clone(), &padded);
            }
            self.line(&line);
        }
    }

    fn style(&self, style: Style, text: &str) -> String {
        if self.screen.colour {
            style.force_styling(true).apply_to(text).to_string()
        } else {
            text.to_owned()
        }
    }

    fn line(&mut self, line: &str) {
        self.text += line.trim_end();
        self.text.push('\n');
    }
}

/// Returns the style of a colour on the terminal.
fn style_of(colour: CellColour) -> Style {
    match colour {
        CellColour::Plain | CellColour::Repeated => Style::new(),
        CellColour::Ahead => Style::new().green(),
        CellColour::Behind => Style::new().red(),
        CellColour::Faint => Style::new().dim(),
        CellColour::Warning => Style::new().yellow(),
    }
}

/// Returns the widths of all columns. If the table is too wide, columns of sentences are narrowed,
/// from left to right.
fn widths(table: &Grid, width: usize) -> Vec<usize> {
    let width_of = |text: &str| measure_text_width(&text::escape_line(text));
    let mut widths: Vec<usize> = table
        .columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            table
                .rows
                .iter()
                .map(|row| width_of(&row[index].text))
                .max()
                .unwrap_or(0)
                .max(width_of(&column.header))
        })
        .collect();
    let total: usize = widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1);
    let wrapped: Vec<usize> = (0..widths.len())
        .filter(|&index| table.columns[index].align == Align::Wrap)
        .collect();
    let mut excess = total.saturating_sub(width);
    for index in wrapped {
        let cut = excess.min(widths[index].saturating_sub(WRAP_LEAST));
        widths[index] -= cut;
        excess -= cut;
    }
    widths
}

/// Returns the columns of each part of the table: one part if all columns fit, otherwise several
/// that repeat the first `keys` columns. Every part has at least one further column, even on a
/// narrow screen.
fn chunks(widths: &[usize], keys: usize, width: usize) -> Vec<Vec<usize>> {
    let mut chunks = Vec::new();
    let first: Vec<usize> = (0..keys.min(widths.len())).collect();
    let used_first =
        widths[..first.len()].iter().sum::<usize>() + GAP.len() * first.len().saturating_sub(1);
    let (mut chunk, mut used) = (first.clone(), used_first);
    for (index, column) in widths.iter().enumerate().skip(keys) {
        if used + GAP.len() + column > width && chunk.len() > keys {
            chunks.push(std::mem::replace(&mut chunk, first.clone()));
            used = used_first;
        }
        used += GAP.len() + column;
        chunk.push(index);
    }
    chunks.push(chunk);
    chunks
}

fn cell_lines(column: &Column, cell: &Cell, width: usize) -> Vec<String> {
    if cell.colour == CellColour::Repeated {
        Vec::new()
    } else if column.align == Align::Wrap {
        wrap(&text::escape_line(&cell.text), width)
    } else {
        vec![text::escape_line(&cell.text).into_owned()]
    }
}

/// Breaks a sentence at spaces; a word that is longer than a line gets its own line.
fn wrap(sentence: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in sentence.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty() && measure_text_width(line) + 1 + measure_text_width(word) > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// Returns a left-aligned table with a heading and two spaces between columns. Widths are measured
/// in terminal columns: a Japanese character takes two.
pub fn text_table<const N: usize>(
    heading: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut all = vec![heading.map(str::to_owned)];
    all.extend(rows);
    let widths: [usize; N] = std::array::from_fn(|column| {
        all.iter()
            .map(|row| measure_text_width(&row[column]))
            .max()
            .unwrap_or(0)
    });
    let mut text = String::new();
    for row in &all {
        let cells = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| pad_str(cell, width, Alignment::Left, None));
        text += joined(cells, GAP).trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section() -> Section {
        let mut table = Grid::new(&[
            ("bot", Align::Left),
            ("mean", Align::Right),
            ("◎", Align::Centre),
            ("verdict", Align::Wrap),
        ]);
        table.rows.push(vec![
            "ada".into(),
            "12.5".into(),
            Cell::coloured("××", CellColour::Behind),
            "ahead of the rest of the field".into(),
        ]);
        table.rows.push(vec![
            "大貧民".into(),
            "3.0".into(),
            "○".into(),
            "behind".into(),
        ]);
        Section {
            heading: "Who".to_owned(),
            text: vec!["All of them.".to_owned()],
            table: Some(table),
            notes: vec!["So far.".to_owned()],
            ..Section::default()
        }
    }

    #[test]
    fn a_wide_terminal_shows_one_table() {
        let text = render(
            &[section()],
            Screen {
                width: 80,
                colour: false,
            },
        );
        let expected = "\
Who
All of them.
bot     mean  ◎   verdict
──────  ────  ──  ──────────────────────────────
ada     12.5  ××  ahead of the rest of the field
大貧民   3.0  ○   behind
So far.
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_narrow_terminal_wraps_long_cells_and_then_splits_the_table() {
        let text = render(
            &[section()],
            Screen {
                width: 46,
                colour: false,
            },
        );
        let expected = "\
Who
All of them.
bot     mean  ◎   verdict
──────  ────  ──  ────────────────────────────
ada     12.5  ××  ahead of the rest of the
                  field
大貧民   3.0  ○   behind
So far.
";
        assert_eq!(text, expected);
        let text = render(
            &[section()],
            Screen {
                width: 40,
                colour: false,
            },
        );
        let expected = "\
Who
All of them.
bot     mean  ◎
──────  ────  ──
ada     12.5  ××
大貧民   3.0  ○
bot     verdict
──────  ────────────────────────────
ada     ahead of the rest of the
        field
大貧民  behind
So far.
";
        assert_eq!(text, expected);
    }

    #[test]
    fn every_part_of_a_split_pair_table_repeats_both_key_columns() {
        let mut section = section();
        let table = section.table.take().unwrap().keyed_by(2);
        let text = render(
            &[Section {
                table: Some(table),
                ..section
            }],
            Screen {
                width: 40,
                colour: false,
            },
        );
        let expected = "\
bot     mean  ◎
──────  ────  ──
ada     12.5  ××
大貧民   3.0  ○
bot     mean  verdict
──────  ────  ────────────────────────────
ada     12.5  ahead of the rest of the
              field
大貧民   3.0  behind
";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn colours_do_not_change_the_text() {
        let plain = render(
            &[section()],
            Screen {
                width: 80,
                colour: false,
            },
        );
        let coloured = render(
            &[section()],
            Screen {
                width: 80,
                colour: true,
            },
        );
        assert!(coloured.contains("\u{1b}[31m××\u{1b}[0m"));
        let stripped = console::strip_ansi_codes(&coloured);
        let trimmed: String = stripped
            .lines()
            .map(|line| format!("{}\n", line.trim_end()))
            .collect();
        assert_eq!(trimmed, plain);
    }
}
