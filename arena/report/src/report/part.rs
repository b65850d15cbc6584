//! What a report says under one heading: sections for every format, and what a page shows beside
//! them.

use super::table::Section;
use serde::Serialize;

/// Width of a drawing on a desk and on a phone.
const WIDTHS: [f64; 2] = [760.0, 340.0];

/// A part of a report. The terminal and Markdown print its sections one below the other; a page
/// puts its own heading above them and figures among them.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Part {
    /// Its name in addresses.
    pub id: &'static str,
    /// Its short name in the page's list of parts.
    pub short: &'static str,
    /// Its heading on a page.
    pub title: &'static str,
    /// Words and tables.
    pub sections: Vec<Section>,
    /// Figures.
    pub figures: Vec<Figure>,
    /// Sentences with a mark.
    pub verdicts: Vec<Verdicts>,
    /// Texts to be copied: heading and contents.
    pub listings: Vec<(String, String)>,
    /// Whether games are shown here step by step.
    pub has_viewer: bool,
}

/// A figure. Markup is SVG that is well-formed and escaped.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Figure {
    /// For wide pages, and for all where there is nothing else.
    pub wide: String,
    /// For narrow pages.
    pub narrow: Option<String>,
    /// Several drawings side by side instead.
    pub panels: Vec<Panel>,
    /// What is to be seen.
    pub caption: String,
}

/// One of several drawings side by side.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Panel {
    /// What it is of.
    pub title: String,
    /// The drawing.
    pub svg: String,
}

/// Sentences with a mark, folded where there are many.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Verdicts {
    /// Heading; empty where they stand at once.
    pub title: String,
    /// Class of the mark, the mark, and the sentence.
    pub lines: Vec<(&'static str, &'static str, String)>,
}

impl Part {
    /// A part that says nothing yet: its name in addresses, in the list of parts, and its heading
    /// on a page.
    #[must_use]
    pub(super) fn new(id: &'static str, short: &'static str, title: &'static str) -> Part {
        Part {
            id,
            short,
            title,
            ..Part::default()
        }
    }

    /// The part with sections behind those that it has.
    #[must_use]
    pub(super) fn with(mut self, sections: impl IntoIterator<Item = Section>) -> Part {
        self.sections.extend(sections);
        self
    }

    /// The part with a sentence behind what it has.
    #[must_use]
    pub(super) fn saying(self, sentence: impl Into<String>) -> Part {
        self.with([Section {
            text: vec![sentence.into()],
            ..Section::default()
        }])
    }
}

impl Figure {
    /// A figure that is drawn once for desks and once for phones.
    pub(super) fn both(draw: impl Fn(f64) -> String) -> Figure {
        Figure {
            wide: draw(WIDTHS[0]),
            narrow: Some(draw(WIDTHS[1])),
            ..Figure::default()
        }
    }

    /// The figure with a caption.
    #[must_use]
    pub(super) fn caption(self, caption: impl Into<String>) -> Figure {
        Figure {
            caption: caption.into(),
            ..self
        }
    }
}
