//! Studies that go beyond a league's report: what chance decides, what policies are learnt from
//! games.
//!
//! ```
//! use hattari_study::chart::{Chart, Line, Mark};
//!
//! let mark = |x: f64| Mark { x, value: 1.0 / x, interval: (0.9 / x, 1.1 / x) };
//! let points = [1.0, 2.0, 4.0].map(mark).to_vec();
//! let line = Line { name: "halved".into(), colour: 0, dashed: false, points, band: true };
//! let chart = Chart {
//!     title: "Error by blocks",
//!     x: "blocks",
//!     y: "error",
//!     ticks: vec![1.0, 2.0, 4.0],
//!     logarithmic: true,
//!     bottom: 0.0,
//!     lines: vec![line],
//! };
//! assert!(chart.svg().starts_with("<svg"));
//! ```

pub mod chart;
pub mod cns;
pub mod hands;
pub mod policy;
