//! The listening addresses of a league. Several entrants can share an address.

use super::handshake::Handshake;
use super::listener::SocketListener;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;

/// The open listeners, with address and protocol.
#[derive(Debug, Default)]
pub struct SocketListeners(Vec<(SocketAddr, &'static str, Arc<SocketListener>)>);

impl SocketListeners {
    /// Returns the listener at an address. Opens it if necessary.
    ///
    /// # Errors
    /// Returns an error with a remedy if the address cannot be bound or is used for another
    /// protocol.
    pub fn at(
        &mut self,
        address: SocketAddr,
        handshake: &'static Handshake,
    ) -> Result<Arc<SocketListener>, String> {
        if let Some((_, spoken, listener)) = self.0.iter().find(|(known, ..)| *known == address) {
            if *spoken != handshake.name {
                return Err(format!(
                    "{address} is already used for {spoken}; set another address for {}",
                    handshake.name
                ));
            }
            return Ok(Arc::clone(listener));
        }
        let listener = SocketListener::open(address, handshake).map_err(|error| {
            let remedy = match error.kind() {
                ErrorKind::AddrInUse => {
                    "another league or server uses this address: end it, or set another address \
                     with `listen`"
                }
                ErrorKind::PermissionDenied => {
                    "ports below 1024 are reserved by the system; set another port with `listen`"
                }
                ErrorKind::AddrNotAvailable => {
                    "this machine does not have this address; use one of its addresses, or 0.0.0.0 \
                     for all of them"
                }
                _ => "set another address with `listen`",
            };
            format!("cannot listen on {address}: {error}; {remedy}")
        })?;
        let listener = Arc::new(listener);
        self.0
            .push((address, handshake.name, Arc::clone(&listener)));
        Ok(listener)
    }
}
