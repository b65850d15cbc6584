//! Reports as Markdown.

use super::table::{Align, Cell, Grid, Section};
use hattari_agents::text::{self, joined};
use std::fmt::Write;

/// Returns sections as Markdown; the first heading is the title.
pub fn render(sections: &[Section]) -> String {
    let mut text = String::new();
    for (number, section) in sections.iter().enumerate() {
        let mark = if number == 0 { "#" } else { "\n##" };
        line(&mut text, &format!("{mark} {}", escape(&section.heading)));
        for sentence in &section.text {
            line(&mut text, &format!("\n{}", escape(sentence)));
        }
        if let Some(table) = &section.table {
            text.push('\n');
            write_table(&mut text, table);
        }
        for sentence in &section.notes {
            line(&mut text, &format!("\n*{}*", escape(sentence)));
        }
    }
    text
}

fn write_table(text: &mut String, table: &Grid) {
    let header = table.columns.iter().map(|column| escape(&column.header));
    line(text, &format!("| {} |", joined(header, " | ")));
    let marks = table.columns.iter().map(|column| match column.align {
        Align::Left | Align::Wrap => "---",
        Align::Right => "---:",
        Align::Centre => ":---:",
    });
    line(text, &format!("|{}|", joined(marks, "|")));
    for row in &table.rows {
        let cells = row.iter().map(|Cell { text, .. }| escape(text));
        line(text, &format!("| {} |", joined(cells, " | ")));
    }
}

fn line(text: &mut String, content: &str) {
    writeln!(text, "{}", content.trim_end()).expect("writing to a string cannot fail");
}

/// Escapes Markdown in names and sentences. Text between two backquotes is left unchanged.
fn escape(text: &str) -> String {
    let text = text::escape_line(text);
    let mut escaped = String::with_capacity(text.len());
    let (mut code, mut quotes) = (false, text.matches('`').count());
    for (place, character) in text.char_indices() {
        if character == '`' {
            // An unpaired backquote is escaped.
            let is_odd = !code && quotes == 1;
            quotes -= 1;
            code ^= !is_odd;
            escaped += if is_odd { "\\`" } else { "`" };
            continue;
        }
        let opens = place == 0 && matches!(character, '#' | '>');
        let mark = matches!(character, '*' | '_' | '<' | '[' | '\\' | '&') && !code;
        if mark || opens || character == '|' {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_sections_are_rendered_as_markdown_headings_and_tables() {
        let mut table = Grid::new(&[
            ("bot", Align::Left),
            ("mean", Align::Right),
            ("all|sk", Align::Centre),
        ]);
        table.rows.push(vec!["a_b".into(), "1.0".into(), "".into()]);
        let first = Section::new("League *one*");
        let second = Section {
            heading: "Standings".to_owned(),
            text: vec!["Made by `hattari run a_b`.".to_owned()],
            table: Some(table),
            notes: vec!["Read it well.".to_owned()],
            ..Section::default()
        };
        let expected = "\
# League \\*one\\*

## Standings

Made by `hattari run a_b`.

| bot | mean | all\\|sk |
|---|---:|:---:|
| a\\_b | 1.0 |  |

*Read it well.*
";
        assert_eq!(render(&[first, second]), expected);
        assert_eq!(
            escape("`a` <b> `<c>` `<d>|\n\u{1b}&amp;"),
            "`a` \\<b> `<c>` \\`\\<d>\\|  \\&amp;"
        );
    }
}
