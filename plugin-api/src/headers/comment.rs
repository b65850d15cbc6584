//! Converts doc comments to C comments.

/// Maximum number of columns of a header.
pub const WIDTH: usize = 100;

/// Returns the paragraphs of a doc comment. Lines are joined, and bold marks are removed. A rustdoc
/// link is replaced by the result of `resolve` for its target (`Host::get_service`).
///
/// # Panics
/// Panics if a link is not closed.
#[must_use]
pub fn paragraphs(doc: &[impl AsRef<str>], resolve: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in doc.iter().map(|line| line.as_ref().trim()) {
        let last = paragraphs.last_mut().expect("there is always one");
        if line.is_empty() {
            paragraphs.push(String::new());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(line);
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    // Headers are ASCII. Tags such as [any] are written without backticks.
    let plain = |text: &str| {
        text.replace("**", "")
            .replace('…', "...")
            .replace("`[", "[")
            .replace("]`", "]")
    };
    paragraphs
        .iter()
        .map(|paragraph| plain(&links(paragraph, resolve)))
        .collect()
}

fn links(text: &str, resolve: &dyn Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[`") {
        let (target, after) = after
            .split_once("`]")
            .unwrap_or_else(|| panic!("a link is not closed in `{text}`"));
        out += before;
        out += &resolve(target);
        rest = after;
    }
    out + rest
}

/// Returns a comment to precede an item: one line if it fits, otherwise a block.
#[must_use]
pub fn block(paragraphs: &[String], indent: &str) -> String {
    if let [only] = paragraphs
        && indent.len() + only.chars().count() + 6 <= WIDTH
    {
        return format!("{indent}/* {only} */\n");
    }
    let mut out = format!("{indent}/*\n");
    for (index, paragraph) in paragraphs.iter().enumerate() {
        if index > 0 {
            out += &format!("{indent} *\n");
        }
        for line in wrap(paragraph, WIDTH - indent.len() - 3) {
            out += &format!("{indent} * {line}\n");
        }
    }
    out + indent + " */\n"
}

/// Returns a constant with its comment: on the same line if it fits, otherwise before it.
#[must_use]
pub fn define(name: &str, value: &str, doc: &[String]) -> String {
    let define = format!("#define {name} {value}");
    match doc {
        [only] if define.chars().count() + only.chars().count() + 7 <= WIDTH => {
            format!("{define} /* {only} */\n")
        }
        _ => format!("{}{define}\n", block(doc, "")),
    }
}

fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always one");
        let length = line.chars().count() + 1 + word.chars().count();
        if line.is_empty() {
            line.push_str(word);
        } else if length <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_names_and_paragraphs_are_joined() {
        let doc = [" **One.** See", " [`Host::name`].", "", " Two. `[any]`"].map(String::from);
        let resolve = |target: &str| format!("<{target}>");
        assert_eq!(
            paragraphs(&doc, &resolve),
            ["One. See <Host::name>.", "Two. [any]"]
        );
        assert_eq!(block(&["Short.".into()], "    "), "    /* Short. */\n");
        assert_eq!(
            block(&["A.".into(), "B.".into()], ""),
            "/*\n * A.\n *\n * B.\n */\n"
        );
    }
}
