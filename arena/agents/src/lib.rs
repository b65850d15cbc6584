//! Agents, which run bots, and tables, which play blocks with them.
//!
//! A table applies the rules of the game and calls one agent per seat. Agents run bots in libraries
//! in this process ([`agent::plugin`]) or in another one ([`agent::worker`]), scripts
//! ([`agent::script`]), and clients that connect over sockets ([`agent::socket`]).
//!
//! ```
//! use hattari_agents::games;
//! use hattari_agents::record::JobId;
//! use hattari_agents::seeds::LineUpSeeds;
//! use hattari_agents::table::{self, BlockPlan};
//!
//! let info = games::named("tanhinmin")?;
//! let rules = info.apply_overrides(info.presets[0], &[]).expect("the preset is valid");
//! let game = table::game(info.id, &rules.options)?;
//! let mut agents: Vec<_> = (0..4).map(|_| game.random()).collect();
//! let plan = BlockPlan { deals: 10, ..BlockPlan::default() };
//! let job = JobId { line_up: 0, block: 0 };
//! let played = game.table().play_block(job, plan, &LineUpSeeds::new(1), &mut agents, &mut ());
//! let (record, _) = played.expect("nothing stops this block");
//! assert_eq!(record.deals, 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(not(unix))]
compile_error!("Hattari runs on Linux and macOS");

/// Compiles items on Linux only.
macro_rules! linux {
    ($($item:item)*) => {
        $(
            #[cfg(target_os = "linux")]
            $item
        )*
    };
}

pub mod agent;
pub mod files;
pub mod games;
#[path = "../tests/fixtures/mock.rs"]
#[cfg(any(test, feature = "mock"))]
pub mod mock;
pub mod packed;
pub mod record;
pub mod seeds;
pub mod table;
pub mod text;
pub mod user_dirs;
