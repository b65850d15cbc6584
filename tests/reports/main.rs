//! Output about leagues and games: reports in every format, pages in a browser, statistics and
//! analyses.

mod adaptive;
mod browser;
mod challengers;
mod deal;
mod dependencies;
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
mod study_stud;
#[path = "../support/mod.rs"]
mod support;
mod tables;
mod tanhinmin;
