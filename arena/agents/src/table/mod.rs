//! Plays blocks: rules on one side, agents on the other. No input or output, no clock but for
//! timing samples and limits of time.

mod any;
mod play;
mod shared;
mod watch;

pub use any::{Actions, AnyDeals, AnyGame, AnyTable, Onlooker, Position, Sight, Taken, add, game};
pub use play::{BlockPlan, Disturbed, FaultPolicy, RESTARTS, Table, Unfinished, accept};
pub use shared::{Decided, Marks, Script};
pub use watch::{Decider, Step, Watch};
