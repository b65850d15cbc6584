//! Figures that pages show, drawn as SVG.

pub(in crate::report) mod curve;
pub(in crate::report) mod heat;
pub(in crate::report) mod intervals;
pub(in crate::report) mod over_time;
