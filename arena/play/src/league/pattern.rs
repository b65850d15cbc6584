//! Patterns for bot files: one item of a league file that creates an entrant for every matching
//! file.
//!
//! `*` matches any characters of a name and `?` matches one; neither matches `/`. Names that begin
//! with a dot match only patterns with a dot there. Paths are relative to the league's folder.

use super::fields::Reader;
use super::yaml::Node;
use super::{ENTRANTS_MAX, Entrant};
use hattari_agents::{files, text};
use std::path::Path;
use std::{fs, io};

/// Returns `true` if the bot of an entrant is a pattern.
pub(super) fn is_pattern(bot: &str) -> bool {
    bot.contains(['*', '?'])
}

/// Returns the paths of the files that match a pattern, relative to `base` and in byte order.
///
/// # Errors
/// Returns an error if a folder cannot be read, or if a matching name is not UTF-8.
fn files(pattern: &str, base: &Path) -> io::Result<Vec<String>> {
    let parts: Vec<&str> = pattern.split('/').collect();
    let fixed = parts.iter().take_while(|part| !is_pattern(part)).count();
    let start = parts[..fixed].iter().map(|part| format!("{part}/"));
    let mut paths = vec![start.collect::<String>()];
    for (index, part) in parts.iter().enumerate().skip(fixed) {
        let end = if index + 1 < parts.len() { "/" } else { "" };
        let mut next = Vec::new();
        for folder in &paths {
            // Folders below the first component with a pattern may be missing.
            let entries = match fs::read_dir(base.join(folder)) {
                Err(_) if index > fixed => continue,
                entries => entries?,
            };
            for entry in entries {
                let name = entry?.file_name();
                match name.to_str() {
                    Some(name) if matches_component(part, name) || name == *part => {
                        next.push(format!("{folder}{name}{end}"));
                    }
                    None if matches_component(part, &name.to_string_lossy()) => {
                        let path = base.join(folder).join(&name);
                        return Err(io::Error::other(format!(
                            "the name of `{}` is not UTF-8",
                            path.display()
                        )));
                    }
                    _ => {}
                }
            }
        }
        paths = next;
    }
    paths.retain(|file| base.join(file).is_file());
    paths.sort_unstable();
    Ok(paths)
}

/// Returns `true` if a name matches a component of a pattern.
fn matches_component(part: &str, name: &str) -> bool {
    if name.starts_with('.') && !part.starts_with('.') {
        return false;
    }
    // `reached[n]` is true if the first n characters of the name match the pattern so far.
    let name: Vec<char> = name.chars().collect();
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for sign in part.chars() {
        let mut next = vec![false; name.len() + 1];
        match sign {
            '*' => {
                let first = reached.iter().position(|&is| is).unwrap_or(next.len());
                next[first..].fill(true);
            }
            _ => {
                for (index, letter) in name.iter().enumerate() {
                    next[index + 1] = reached[index] && (sign == '?' || sign == *letter);
                }
            }
        }
        reached = next;
    }
    reached[name.len()]
}

/// Returns the name of the entrant for a file: its path from the first component with a pattern,
/// without the extension.
fn entrant_name(pattern: &str, file: &str) -> String {
    let path = pattern
        .split('/')
        .zip(file.split('/'))
        .skip_while(|(part, _)| !is_pattern(part))
        .map(|(_, name)| name)
        .collect::<Vec<_>>()
        .join("/");
    Path::new(&path)
        .with_extension("")
        .to_string_lossy()
        .into_owned()
}

/// Returns one entrant per file that matches the pattern of `entrant`. If `is_named` is true, the
/// entrant's name is a prefix of the new names.
pub(super) fn expand(
    reader: &Reader<'_>,
    node: &Node,
    entrant: &Entrant,
    is_named: bool,
) -> Option<Vec<Entrant>> {
    let (pattern, base) = (&entrant.bot, reader.base);
    let files = match files(pattern, base) {
        Ok(files) => files,
        Err(error) => {
            return reader.fail(
                node,
                format!("`bot`: cannot read the folder of `{pattern}`: {error}"),
                "give a pattern relative to the folder of the league, as in `bot: \
                \"entries/*.lua\"`",
            );
        }
    };
    if files.is_empty() {
        let shown = files::or_current(base).display();
        return reader.fail(
            node,
            format!("`bot`: no file in the folder `{shown}` matches `{pattern}`"),
            "`*` stands for any characters of a name, `?` for one; neither matches `/`",
        );
    }
    if files.len() > ENTRANTS_MAX {
        let count = text::grouped(files.len() as u64);
        return reader.fail(
            node,
            format!(
                "`bot`: {count} files match `{pattern}`; a league can have at most {ENTRANTS_MAX} \
            entrants"
            ),
            "use a narrower pattern",
        );
    }
    reader
        .files
        .borrow_mut()
        .extend(files.iter().map(Into::into));
    let create_entrant = |file: String| {
        let own = entrant_name(pattern, &file);
        Entrant {
            name: if is_named {
                format!("{} {own}", entrant.name)
            } else {
                own
            },
            bot: file,
            ..entrant.clone()
        }
    };
    Some(files.into_iter().map(create_entrant).collect())
}
