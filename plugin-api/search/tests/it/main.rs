//! Tests of sampled deals, and of the likelihood of earlier play.

mod deals;
mod past;
mod support;
