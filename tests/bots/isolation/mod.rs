//! Compiled bots in processes of their own, through the program: whatever a bot does, the league
//! ends, the fault is its own, and the others are dealt and play what they would have.
#![cfg(target_os = "linux")]

mod attacks;
mod honest;
mod hosting;
mod limits;
mod stops;
