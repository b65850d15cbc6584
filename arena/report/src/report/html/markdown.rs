//! Converts the rules of games from Markdown to HTML.

use std::fmt::Write as _;

/// Returns the HTML of a Markdown page without its title. Supports only the elements that occur in
/// the rules: headings, paragraphs, lists, tables, emphasis, code and links within the page.
pub fn markdown(page: &str) -> String {
    let mut html = String::new();
    for block in page
        .split("\n\n")
        .map(str::trim)
        .filter(|block| !block.is_empty())
    {
        let mut lines = block.lines();
        let first = lines.next().unwrap_or_default();
        if let Some(heading) = first.strip_prefix("## ") {
            _ = writeln!(
                html,
                "<h2 id=\"{}\">{}</h2>",
                anchor(heading),
                inline(heading)
            );
        } else if first.starts_with("# ") {
            // The title is skipped, because the HTML page has its own heading.
        } else if first.starts_with('|') {
            // The second line only separates the header from the rows.
            let rows = lines
                .skip(1)
                .map(|line| row(line, "td"))
                .collect::<String>();
            _ = writeln!(
                html,
                "<div class=\"scroll\"><table><thead>{}</thead><tbody>{rows}</tbody></table></div>",
                row(first, "th")
            );
        } else if let Some((kind, _)) = item(first) {
            let mut items: Vec<String> = Vec::new();
            for line in block.lines() {
                match (item(line), items.last_mut()) {
                    (None, Some(open)) => *open += &format!(" {}", line.trim()),
                    (start, _) => items.push(start.map_or(line, |(_, text)| text).to_owned()),
                }
            }
            let items = items
                .iter()
                .map(|item| format!("<li>{}</li>", inline(item)))
                .collect::<String>();
            _ = writeln!(html, "<{kind}>{items}</{kind}>");
        } else {
            _ = writeln!(html, "<p>{}</p>", inline(&block.replace('\n', " ")));
        }
    }
    html
}

/// Returns the HTML tag of the list that a line belongs to, and the text of the item; `None` if the
/// line does not begin an item.
fn item(line: &str) -> Option<(&'static str, &str)> {
    let numbered = || {
        line.split_once(". ")
            .filter(|(number, _)| number.parse::<u32>().is_ok())
    };
    line.strip_prefix("- ")
        .or_else(|| line.strip_prefix("* "))
        .map(|text| ("ul", text))
        .or_else(|| numbered().map(|(_, text)| ("ol", text)))
}

fn row(line: &str, cell: &str) -> String {
    // An escaped bar does not end a cell.
    let line = line.trim().trim_matches('|').replace("\\|", "\0");
    let cells = line.split('|').map(|text| {
        let text = text.trim().replace('\0', "|");
        format!("<{cell} class=\"wrap\">{}</{cell}>", inline(&text))
    });
    format!("<tr>{}</tr>", cells.collect::<String>())
}

/// Returns the anchor of a heading.
fn anchor(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

/// Converts emphasis, code and links to HTML. Markup that is not closed is kept as text.
fn inline(text: &str) -> String {
    let mut html = String::new();
    let mut rest = text;
    while let Some(index) = rest.find(['`', '*', '[']) {
        html += &escaped(&rest[..index]);
        rest = &rest[index..];
        let marked = [("`", "code"), ("**", "strong"), ("*", "em")];
        let marked = marked.into_iter().find_map(|(mark, tag)| {
            let (within, after) = rest.strip_prefix(mark)?.split_once(mark)?;
            (!within.is_empty()).then_some((tag, within, after))
        });
        if let Some((tag, within, after)) = marked {
            let convert = if tag == "code" { escaped } else { inline };
            html += &format!("<{tag}>{}</{tag}>", convert(within));
            rest = after;
        } else if let Some((words, to, after)) = link(rest) {
            // Links to other pages become plain text, because those pages are not served.
            let words = inline(words);
            html += &if to.starts_with('#') {
                format!("<a href=\"{}\">{words}</a>", escaped(to))
            } else {
                words
            };
            rest = after;
        } else {
            html += &escaped(&rest[..1]);
            rest = &rest[1..];
        }
    }
    html + &escaped(rest)
}

/// Splits a text that begins with a link into link text, target and remaining text. Returns `None`
/// if the text does not begin with a link.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let (words, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (to, after) = rest.split_once(')')?;
    Some((words, to, after))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&#38;")
        .replace('<', "&#60;")
        .replace('>', "&#62;")
        .replace('"', "&#34;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_pages_are_converted_to_html() {
        let page = "# Title\n\n## The *end*, again\n\nOne\ntwo **three `a|b` four**, see\n[the end](#the-end-again) or [there](../x.md).\n\n\
                    - one\n  more\n- <b>two</b>\n\n1. first\n2. 3 * 4\n\n| a | b |\n|---|---|\n| `c \\| d` | e |";
        let expected = "<h2 id=\"the-end-again\">The <em>end</em>, again</h2>\n\
             <p>One two <strong>three <code>a|b</code> four</strong>, see <a href=\"#the-end-again\">the end</a> or there.</p>\n\
             <ul><li>one more</li><li>&#60;b&#62;two&#60;/b&#62;</li></ul>\n\
             <ol><li>first</li><li>3 * 4</li></ol>\n\
             <div class=\"scroll\"><table><thead><tr><th class=\"wrap\">a</th><th class=\"wrap\">b</th></tr></thead><tbody><tr><td \
             class=\"wrap\"><code>c | d</code></td><td class=\"wrap\">e</td></tr></tbody></table></div>\n";
        assert_eq!(markdown(page), expected);
    }
}
