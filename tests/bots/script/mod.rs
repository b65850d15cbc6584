//! Tests of the script host with decisions made by hand.

mod answers;
mod attacks;
mod bridge;
mod costs;
mod crashes;
mod decode;
mod life_cycle;
mod poker;
mod reproducible;
mod sandbox;
mod search;
mod strict;
mod stubs;
pub(crate) mod table;
