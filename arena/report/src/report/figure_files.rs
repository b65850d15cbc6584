//! The figures of a page as SVG files.

use super::Report;
use super::sections::{Detail, parts};
use super::svg::escape;
use hattari_agents::files;
use std::io;
use std::path::Path;

/// Style sheet of the page; the files use its light colours and its rules for drawings.
const PAGE: &str = include_str!("html/page.css");

/// Returns the names and contents of the files. A figure is named after its part of the page.
pub(crate) fn render(report: &Report<'_>) -> Vec<(String, String)> {
    let style = style();
    let mut drawings = Vec::new();
    for part in parts(report, Detail::PAGE) {
        for (number, figure) in (1..).zip(&part.figures) {
            let name = match part.figures.len() {
                1 => part.id.to_owned(),
                _ => format!("{}-{number}", part.id),
            };
            let mut add = |name: String, title: &str, svg: &str| {
                drawings.push((format!("{name}.svg"), file(title, svg, &style)));
            };
            if figure.panels.is_empty() {
                add(name.clone(), &figure.caption, &figure.wide);
            }
            for (number, panel) in (1..).zip(&figure.panels) {
                add(format!("{name}-{number}"), &panel.title, &panel.svg);
            }
        }
    }
    drawings
}

/// Writes the files into `folder`, which is created if necessary, and returns their number.
///
/// # Errors
/// Returns an error if the folder or a file cannot be written.
pub fn write(folder: &Path, report: &Report<'_>) -> io::Result<usize> {
    std::fs::create_dir_all(folder)?;
    let drawings = render(report);
    for (name, text) in &drawings {
        files::write(&folder.join(name), text)?;
    }
    Ok(drawings.len())
}

/// Returns a drawing of a page as a separate file with a white background.
fn file(title: &str, svg: &str, style: &str) -> String {
    let (frame, body) = svg.split_once('>').unwrap_or((svg, ""));
    format!(
        "{}>\n<title>{}</title>\n<style>\n{style}</style>\n<rect width=\"100%\" height=\"100%\" \
         fill=\"white\"/>\n{body}\n",
        frame.replacen("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", 1),
        escape(title)
    )
}

/// Returns the rules of the page for drawings, with values instead of variables, because many SVG
/// programs do not support variables.
fn style() -> String {
    let mut style: String = PAGE
        .lines()
        .filter(|line| line.starts_with("svg "))
        .map(|line| format!("{line}\n"))
        .collect();
    // The first block contains the light colours.
    let colours = PAGE.split_once('}').map_or("", |(first, _)| first);
    for (name, value) in colours
        .split(['{', ';'])
        .filter_map(|one| one.trim().split_once(": "))
    {
        style = style.replace(&format!("var({name})"), value);
    }
    style.replace("-apple-system, ", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_of_figure_files_contain_no_css_variables() {
        let style = style();
        assert!(style.contains("svg .dot { fill: #1f5a96; }"), "{style}");
        assert!(!style.contains("var("), "{style}");
    }

    #[test]
    fn a_figure_file_declares_its_namespace_and_contains_the_drawing() {
        let text = file(
            "a < b",
            "<svg viewBox=\"0 0 1 1\"><line/></svg>",
            "svg { }\n",
        );
        assert!(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\">"));
        assert!(
            text.contains("<title>a &lt; b</title>") && text.ends_with("<line/></svg>\n"),
            "{text}"
        );
    }
}
