//! What the page shows under one heading: figures, the tables behind them, and words.

use crate::report::table::Table;
use serde::Serialize;

/// Width of a drawing on a desk and on a phone.
const WIDTHS: [f64; 2] = [760.0, 340.0];

/// A figure. Markup is SVG that is well-formed and escaped.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Figure {
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
pub struct Panel {
    pub title: String,
    pub svg: String,
}

impl Figure {
    /// A figure that is drawn once for desks and once for phones.
    pub fn both(draw: impl Fn(f64) -> String) -> Figure {
        Figure { wide: draw(WIDTHS[0]), narrow: Some(draw(WIDTHS[1])), ..Figure::default() }
    }

    /// The figure with a caption.
    pub fn caption(self, caption: impl Into<String>) -> Figure {
        Figure { caption: caption.into(), ..self }
    }
}

/// A part of the page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Part {
    /// Its name in addresses.
    pub id: &'static str,
    /// Its heading.
    pub title: String,
    /// Its short name in the list of parts.
    pub short: &'static str,
    /// Sentences above.
    pub text: Vec<String>,
    /// Figures.
    pub figures: Vec<Figure>,
    /// Tables behind them.
    pub tables: Vec<Behind>,
    /// Sentences below.
    pub notes: Vec<String>,
    /// Texts to be copied: heading and contents.
    pub listings: Vec<(String, String)>,
    /// Sentences with a mark.
    pub verdicts: Vec<Verdicts>,
    /// Whether games are shown here step by step.
    pub has_viewer: bool,
}

/// A table that stands folded behind a figure, or open.
#[derive(Clone, Debug, Serialize)]
pub struct Behind {
    /// What it holds.
    pub title: String,
    /// Whether it is to be seen at once.
    pub open: bool,
    /// Whether its rows can be narrowed down to a name.
    pub filter: bool,
    /// The table.
    pub table: Table,
}

/// Sentences with a mark, folded where there are many.
#[derive(Clone, Debug, Serialize)]
pub struct Verdicts {
    /// Heading; empty where they stand at once.
    pub title: String,
    /// Class of the mark, the mark, and the sentence.
    pub lines: Vec<(&'static str, &'static str, String)>,
}

impl Part {
    pub fn new(id: &'static str, short: &'static str, title: impl Into<String>) -> Part {
        Part { id, short, title: title.into(), ..Part::default() }
    }

    /// Adds a table that is folded.
    pub fn behind(&mut self, title: impl Into<String>, table: Table) {
        let filter = table.rows.len() > 12;
        self.tables.push(Behind { title: title.into(), open: false, filter, table });
    }

    /// Adds a table that is to be seen at once.
    pub fn open(&mut self, title: impl Into<String>, table: Table) {
        let filter = table.rows.len() > 12;
        self.tables.push(Behind { title: title.into(), open: true, filter, table });
    }
}
