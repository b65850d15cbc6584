//! Ports for servers that tests start.

use super::until;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// The first port that tests take, and how many follow: below those that systems hand out to
/// whoever asks for any.
const PORTS: (u32, u32) = (20_000, 12_000);

/// A port of this machine's at which nobody listens, for a server that will. The system hands it to
/// nobody else, and no other test takes it as long as this lives: whoever has a TCP port here keeps
/// the UDP port of the same number.
pub(crate) struct Port {
    number: u16,
    _kept: UdpSocket,
}

impl Port {
    /// A free port.
    pub(crate) fn free() -> Port {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        until("a free port", || {
            // Processes begin at different places.
            let next = process::id()
                .wrapping_mul(37)
                .wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
            let number = u16::try_from(PORTS.0 + next % PORTS.1).expect("a port");
            let kept = UdpSocket::bind((Ipv4Addr::LOCALHOST, number)).ok()?;
            TcpListener::bind((Ipv4Addr::LOCALHOST, number)).ok()?;
            Some(Port {
                number,
                _kept: kept,
            })
        })
    }

    /// Where a server listens that is told the port.
    pub(crate) fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.number).into()
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)
    }
}
