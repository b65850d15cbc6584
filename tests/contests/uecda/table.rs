//! A block with clients over real sockets and built-in bots, through the library.

use hattari::agent::socket::{ClientBot, ClientSpec, SocketListener};
use hattari::agent::{Agent, AgentFactory};
use hattari::contests::uecda::PROTOCOL;
use hattari::league::Budget;
use hattari::record::{JobId, Record};
use hattari::seeds::Chance;
use hattari::table::{BlockPlan, Table};
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::{Daihinmin, Options};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// A seat that waits for clients on its own port.
pub(super) struct Place {
    pub address: SocketAddr,
    bot: ClientBot,
}

impl Place {
    /// Creates a seat with time limits for connecting and for answers.
    pub(super) fn new(start: Duration, hang: Duration) -> Place {
        let listener = Arc::new(
            SocketListener::open("127.0.0.1:0".parse().unwrap(), &PROTOCOL.handshake).unwrap(),
        );
        let address = listener.address();
        let mut spec = ClientSpec::new(&PROTOCOL.handshake, "client", &Budget::default());
        (spec.listener, spec.start, spec.hang) = (Some(listener), start, hang);
        Place {
            address,
            bot: ClientBot::new(&PROTOCOL, spec),
        }
    }

    /// Creates a seat whose clients have enough time.
    pub(super) fn patient() -> Place {
        Place::new(Duration::from_secs(60), Duration::from_secs(60))
    }

    pub(super) fn agent(&self) -> Box<dyn Agent> {
        self.bot.open("{}").unwrap()
    }
}

/// Plays a block of a plan.
pub(super) fn play(
    options: Options,
    plan: BlockPlan,
    block: u32,
    agents: &mut [Box<dyn Agent>],
) -> Record {
    let game = Daihinmin::new(options).unwrap();
    let seeds = Chance::alone(2024);
    Table::new(&game)
        .play_block(JobId { line_up: 0, block }, plan, &seeds, agents, &mut ())
        .unwrap()
        .0
}

/// Returns a plan for this number of deals with default settings.
pub(super) fn deals(deals: u32) -> BlockPlan {
    BlockPlan {
        deals,
        ..BlockPlan::default()
    }
}
