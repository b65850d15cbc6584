//! Tables, which play blocks: they apply the rules and call the agents. They use no input or
//! output, and clocks only for timing samples and time limits.

mod any;
mod play;
mod shared;
mod watch;

pub use any::{Actions, AnyDeals, AnyGame, AnyTable, Onlooker, Position, Sight, Taken, add, game};
pub use play::{BlockPlan, Disturbed, FaultPolicy, RESTARTS, Table, Unfinished, accept};
pub use shared::{Decided, Marks, Script};
pub use watch::{Decider, Step, Watch};
