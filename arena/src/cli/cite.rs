//! `hattari cite`.

use super::{CommandResult, output};

/// Print how to cite Hattari in a paper
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hattari cite                 an entry for BibTeX
  hattari cite --format cff    the Citation File Format, as in CITATION.cff

`hattari report LEAGUE --format latex` also writes a paragraph on methods with the versions of \
the bots.
Exit codes: 0 printed.")]
pub(super) struct Arguments {
    /// Format of the citation
    #[arg(long, value_enum, default_value_t = CitationFormat::Bibtex)]
    format: CitationFormat,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum CitationFormat {
    /// An entry for BibTeX
    Bibtex,
    /// The Citation File Format
    Cff,
}

const TITLE: &str = "Hattari: an arena for card games of imperfect information";
const AUTHORS: &str = "The Hattari maintainers";
const YEAR: u32 = 2026;

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    output::print(&match arguments.format {
        CitationFormat::Bibtex => bibtex(),
        CitationFormat::Cff => cff(),
    })
}

fn bibtex() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "@software{{hattari,\n  title   = {{{{{TITLE}}}}},\n  author  = {{{{{AUTHORS}}}}},\n  \
         version = {{{version}}},\n  year    = {{{YEAR}}},\n  license = {{MIT OR Apache-2.0}}\n}}\n"
    )
}

/// Returns the content of the file `CITATION.cff` of the project.
fn cff() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "cff-version: 1.2.0\nmessage: If you use this software in a paper, please cite it as below.\n\
         type: software\ntitle: \"{TITLE}\"\nauthors:\n  - name: {AUTHORS}\nversion: {version}\nlicense:\n  - MIT\n  - Apache-2.0\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `CITATION.cff` must be changed with the version: `hattari cite --format cff`.
    #[test]
    fn the_citation_file_matches_the_output_of_this_version() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../CITATION.cff");
        assert_eq!(std::fs::read_to_string(path).unwrap(), cff());
    }
}
