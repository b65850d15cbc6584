//! Deals that fit what a seat knows, and what came before them.

mod deals;
mod past;
mod support;
