//! Tests of the games, the solver, and the command with leagues of bots in three languages.

#[cfg(unix)]
mod command;
#[cfg(unix)]
mod review;
mod rules;
mod solve;
#[cfg(unix)]
mod support;
