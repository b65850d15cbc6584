//! Tests of the script host with decisions made by hand.

mod again;
mod answers;
mod attacks;
mod bridge;
mod costs;
mod crashes;
mod decode;
mod life;
mod poker;
mod sandbox;
mod search;
mod strict;
mod stubs;
mod table;
