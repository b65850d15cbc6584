//! Ports for servers that tests start.

use super::until;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// The first port for tests, and the number of ports. They are below the range from which systems
/// assign free ports.
const PORTS: (u32, u32) = (20_000, 12_000);

/// An unused port of this machine, for a server. The system assigns it to no other process, and no
/// other test takes it while this value lives. The owner of a TCP port here holds the UDP port of
/// the same number.
pub(crate) struct Port {
    number: u16,
    _kept: UdpSocket,
}

impl Port {
    /// Returns a free port.
    pub(crate) fn free() -> Port {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        until("a free port", || {
            // Each process begins at a different port.
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

    /// Returns the address of a server on this port.
    pub(crate) fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.number).into()
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)
    }
}
