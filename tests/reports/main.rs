//! Output about leagues and games: reports in every format, pages in a browser, statistics and
//! analyses.

mod adaptive;
mod analyse;
mod arrows;
mod browser;
mod challengers;
mod deal;
mod equity;
mod gate;
mod harmless;
mod html;
mod language;
mod large;
mod numbers;
mod papers;
mod report;
mod serve;
mod serve_play;
mod simulation;
mod stats;
#[path = "../support/mod.rs"]
mod support;
mod tables;
mod tanhinmin;
