//! Tables, which play blocks: they apply the rules and call the agents. They do no input or output,
//! and read clocks only for timing samples and time limits.

mod any;
mod legal;
mod play;
mod shared;
mod watch;
mod when;

pub use any::{AnyGame, AnyTable, BlockObserver, ObserverDetail, Position, TakenAction, add, game};
pub use legal::{accept, fallback};
pub use play::{BlockPlan, FaultPolicy, RESTARTS, Table, Unfinished};
pub use shared::{ComparedDecision, DecisionSelector, FeatureValues, ForkScript};
pub use watch::{Decider, TakenStep, TypedObserver};
pub use when::{ALL_DECISIONS, Feature, FeatureAtFork, ValueSet, parse_conditions};
