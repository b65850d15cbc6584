//! Parts of a report: sections for all formats, and additional content for pages.

use super::table::Section;
use serde::Serialize;

/// Widths of a figure on wide and narrow screens, in CSS pixels.
const WIDTHS: [f64; 2] = [760.0, 340.0];

/// A part of a report. The terminal and Markdown print its sections one after another. A page adds
/// the part's title and places figures among the sections.
#[derive(Default, Serialize)]
pub(super) struct ReportPart {
    /// Anchor of the part in links.
    pub id: &'static str,
    /// Short name for the table of contents of a page.
    pub short: &'static str,
    /// Heading on a page.
    pub title: &'static str,
    /// Texts and tables.
    pub sections: Vec<Section>,
    /// Drawings, which only pages show.
    pub figures: Vec<Figure>,
    /// Groups of verdicts, which only pages show.
    pub verdicts: Vec<Verdicts>,
    /// Texts for copying, each with a heading.
    pub listings: Vec<(String, String)>,
    /// `true` if this part contains the game viewer.
    pub has_viewer: bool,
}

/// A figure, as well-formed and escaped SVG.
#[derive(Default, Serialize)]
pub(super) struct Figure {
    /// The drawing for wide screens; for all screens if `narrow` is `None`.
    pub wide: String,
    /// The drawing for narrow screens.
    pub narrow: Option<String>,
    /// Drawings side by side, used instead of `wide`.
    pub panels: Vec<Panel>,
    /// Description of the figure.
    pub caption: String,
}

/// One of several drawings side by side.
#[derive(Serialize)]
pub(super) struct Panel {
    /// Title of the drawing.
    pub title: String,
    /// The drawing as SVG.
    pub svg: String,
}

/// Verdicts with symbols, folded if there are many.
#[derive(Serialize)]
pub(super) struct Verdicts {
    /// Heading; empty if the sentences are not folded.
    pub title: String,
    /// The verdicts.
    pub lines: Vec<VerdictLine>,
}

/// A verdict on a page.
#[derive(Serialize)]
pub(super) struct VerdictLine {
    /// CSS class of the symbol.
    pub class: &'static str,
    /// The symbol, which stands before the sentence.
    pub mark: String,
    /// The verdict as a sentence.
    pub text: String,
}

impl ReportPart {
    /// Creates an empty part with its anchor, short name and heading.
    pub(super) fn new(id: &'static str, short: &'static str, title: &'static str) -> ReportPart {
        ReportPart {
            id,
            short,
            title,
            ..ReportPart::default()
        }
    }

    /// Returns the part with sections appended.
    #[must_use]
    pub(super) fn with(mut self, sections: impl IntoIterator<Item = Section>) -> ReportPart {
        self.sections.extend(sections);
        self
    }

    /// Returns the part with a sentence appended.
    #[must_use]
    pub(super) fn sentence(self, sentence: impl Into<String>) -> ReportPart {
        self.with([Section {
            text: vec![sentence.into()],
            ..Section::default()
        }])
    }
}

impl Figure {
    /// Draws a figure for wide and narrow screens. `draw` receives the width in CSS pixels.
    pub(super) fn both(draw: impl Fn(f64) -> String) -> Figure {
        Figure {
            wide: draw(WIDTHS[0]),
            narrow: Some(draw(WIDTHS[1])),
            ..Figure::default()
        }
    }

    /// Returns the figure with a caption.
    #[must_use]
    pub(super) fn caption(self, caption: impl Into<String>) -> Figure {
        Figure {
            caption: caption.into(),
            ..self
        }
    }
}
