//! Reports as a LaTeX fragment for papers: standings with tiers, pairs and a paragraph on methods.
//! The tables need the package `booktabs`.

use super::table::{Align, Grid, Section};
use crate::standings::Standings;
use hattari_agents::text::{self, joined};
use std::fmt::Write;

/// Returns the fragment with the given sections. The cautions of the report are comments at its
/// beginning.
pub(crate) fn render(standings: &Standings, sections: &[Section]) -> String {
    let about = &standings.about;
    let mut latex = format!(
        "% {}: made by `{}`, Hattari {}.\n% Needs \\usepackage{{booktabs}}; names outside Latin \
         scripts also need XeLaTeX or LuaLaTeX.\n",
        text::escape_line(&about.title),
        text::escape_line(&about.command),
        about.version
    );
    for caution in &standings.cautions {
        _ = writeln!(latex, "% Caution: {}", text::escape_line(caution));
    }
    for section in sections {
        write_section(&mut latex, section);
    }
    latex
}

fn write_section(latex: &mut String, section: &Section) {
    match &section.table {
        Some(table) => {
            let notes = joined(section.notes.iter().map(|note| escape(note)), " ");
            let caption = format!("{}. {notes}", escape(&section.heading));
            *latex += "\n\\begin{table}\n\\centering\n";
            _ = writeln!(latex, "\\caption{{{}}}", caption.trim_end());
            write_table(latex, table);
            *latex += "\\end{table}\n";
        }
        None => {
            _ = writeln!(latex, "\n\\paragraph{{{}}}", escape(&section.heading));
            for sentence in section.text.iter().chain(&section.notes) {
                _ = writeln!(latex, "{}", escape(sentence));
            }
        }
    }
}

/// Writes a table. If its first column is the tier, lines separate the tiers.
fn write_table(latex: &mut String, table: &Grid) {
    let aligns = table.columns.iter().map(|column| match column.align {
        Align::Left | Align::Wrap => 'l',
        Align::Right => 'r',
        Align::Centre => 'c',
    });
    let header = table.columns.iter().map(|column| escape(&column.header));
    _ = writeln!(
        latex,
        "\\begin{{tabular}}{{{}}}\n\\toprule\n{}\n\\midrule",
        aligns.collect::<String>(),
        row(header)
    );
    let is_grouped = table
        .columns
        .first()
        .is_some_and(|first| first.header == "tier");
    for (number, cells) in table.rows.iter().enumerate() {
        let above = number
            .checked_sub(1)
            .and_then(|above| table.rows.get(above));
        if is_grouped && above.is_some_and(|above| above.first() != cells.first()) {
            *latex += "\\midrule\n";
        }
        *latex += &row(cells.iter().map(|cell| cell_text(&cell.text)));
        latex.push('\n');
    }
    *latex += "\\bottomrule\n\\end{tabular}\n";
}

/// Returns the line of a row.
fn row(cells: impl Iterator<Item = String>) -> String {
    format!("{} \\\\", joined(cells, " & "))
}

/// Returns the text of a cell, with numbers such as `3e-6` written as a power of ten.
fn cell_text(text: &str) -> String {
    let is_whole = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once("e-") {
        Some((digit, power)) if is_whole(digit) && is_whole(power) => {
            format!("${digit}\\times10^{{-{power}}}$")
        }
        _ => escape(text),
    }
}

/// Escapes a text for LaTeX. A hyphen that is used as a minus sign becomes a real minus sign.
pub(crate) fn escape(text: &str) -> String {
    let line = text::escape_line(text);
    let mut escaped = String::with_capacity(line.len());
    let mut before = ' ';
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let is_sign =
            matches!(before, ' ' | '(') && characters.peek().is_some_and(char::is_ascii_digit);
        match character {
            '\\' => escaped += "\\textbackslash{}",
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(character);
            }
            // In the older font encoding, these characters are printed as other characters.
            '<' => escaped += "\\textless{}",
            '>' => escaped += "\\textgreater{}",
            '|' => escaped += "\\textbar{}",
            '−' => escaped += "$-$",
            '≥' => escaped += "$\\geq$",
            '≤' => escaped += "$\\leq$",
            '-' if is_sign => escaped += "$-$",
            '+' if is_sign => escaped += "$+$",
            // Two hyphens would be printed as a dash.
            '-' if before == '-' => escaped += "{}-",
            // After the end of a table row, they would be read as its options.
            '[' | '*' if escaped.is_empty() => {
                escaped += "{}";
                escaped.push(character);
            }
            '`' | '\'' if before == character => {
                escaped += "{}";
                escaped.push(character);
            }
            _ => escaped.push(character),
        }
        before = character;
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(
            escape("a_b & 5 % of $x{1}^2~#\\"),
            "a\\_b \\& 5 \\% of \\$x\\{1\\}\\textasciicircum{}2\\textasciitilde{}\\#\\textbackslash{}"
        );
        assert_eq!(
            escape("-0.1 to +0.2, a-1 x--y <z>"),
            "$-$0.1 to $+$0.2, a-1 x-{}-y \\textless{}z\\textgreater{}"
        );
        assert_eq!(escape("a − b\n\u{1b}").trim_end(), "a $-$ b");
        assert_eq!(cell_text("3e-6"), "$3\\times10^{-6}$");
        assert_eq!(cell_text("one-6"), "one-6");
        assert_eq!(escape("[a]*"), "{}[a]*");
        assert_eq!(escape("*[b]"), "{}*[b]");
    }

    #[test]
    fn tiers_are_separated_by_rules() {
        let mut table = Grid::new(&[("tier", Align::Right), ("bot", Align::Left)]);
        for (tier, bot) in [("1", "a"), ("1", "b"), ("2", "c_1")] {
            table.rows.push(vec![tier.into(), bot.into()]);
        }
        let mut latex = String::new();
        write_table(&mut latex, &table);
        let expected = "\\begin{tabular}{rl}\n\\toprule\ntier & bot \\\\\n\\midrule\n1 & a \\\\\n1 & b \\\\\n\\midrule\n2 & c\\_1 \\\\\n\\bottomrule\n\\end{tabular}\n";
        assert_eq!(latex, expected);
    }

    #[test]
    fn cautions_are_comments_and_notes_are_part_of_the_caption() {
        let standings = Standings {
            cautions: vec!["few blocks".to_owned()],
            ..Standings::default()
        };
        let table = Grid::new(&[("bot", Align::Left)]);
        let section = Section::of("Pairs", table).note("Omitted: 5 %.");
        let latex = render(&standings, &[section]);
        assert!(latex.contains("\n% Caution: few blocks\n"), "{latex}");
        assert!(
            latex.contains("\\caption{Pairs. Omitted: 5 \\%.}\n"),
            "{latex}"
        );
    }
}
