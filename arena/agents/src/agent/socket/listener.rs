//! Listeners. A listener accepts clients at an address, reads their greetings, and keeps the
//! clients until seats need them. Several entrants of a league can share an address.

use super::stream::{ConnectionEnd, Stream};
use crate::agent::lock;
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Maximum number of clients whose greetings are read at the same time; others wait in the system's
/// queue. Each client has its own thread, so that a silent one does not delay others.
const GREETED_MAX: usize = 64;
/// Maximum number of waiting clients, of which each entrant at the address has an equal share.
/// Otherwise the clients of one entrant could keep out those of its rivals.
const WAITING_MAX: usize = 256;
/// Interval at which waiting threads check their condition.
const TICK: Duration = Duration::from_millis(20);
/// Time limit of the connection with which a closing listener wakes its own thread.
const WAKING: Duration = Duration::from_millis(500);

/// A client that has sent its greeting and waits for its first message.
#[derive(Debug)]
pub(crate) struct WaitingClient {
    /// Connection to the client.
    pub stream: Stream,
    /// Data of the client's first message.
    pub greeting: ClientGreeting,
}

/// A listener at an address. Dropping it closes its socket.
#[derive(Debug)]
pub struct SocketListener {
    inner: Arc<SharedListener>,
    listener: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct SharedListener {
    handshake: &'static Handshake,
    address: SocketAddr,
    state: Mutex<ListenerState>,
    changed: Condvar,
    closing: AtomicBool,
    greeted: AtomicUsize,
}

#[derive(Debug, Default)]
struct ListenerState {
    /// Names of the entrants whose clients connect here.
    expected: Vec<String>,
    waiting: VecDeque<WaitingClient>,
    /// Reason for the most recent rejection of a client.
    refused: Option<String>,
}

impl SocketListener {
    /// Listens at `address`. If the port is 0, the system chooses a free port.
    ///
    /// # Errors
    /// Returns an error if the address cannot be bound.
    pub fn open(address: SocketAddr, handshake: &'static Handshake) -> io::Result<SocketListener> {
        let listener = TcpListener::bind(address)?;
        let inner = Arc::new(SharedListener {
            handshake,
            address: listener.local_addr()?,
            state: Mutex::default(),
            changed: Condvar::new(),
            closing: AtomicBool::new(false),
            greeted: AtomicUsize::new(0),
        });
        let listening = Arc::clone(&inner);
        let name = format!("{} listener", handshake.name);
        let thread = thread::Builder::new()
            .name(name)
            .spawn(move || listening.listen(&listener))?;
        Ok(SocketListener {
            inner,
            listener: Some(thread),
        })
    }

    /// Returns the address of the listener, with the port that it uses.
    pub fn address(&self) -> SocketAddr {
        self.inner.address
    }

    /// Returns the address to which clients on this machine connect.
    pub(crate) fn local_address(&self) -> SocketAddr {
        let mut address = self.inner.address;
        if address.ip().is_unspecified() {
            address.set_ip(match address.ip() {
                IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        address
    }

    /// Registers the entrant `name`. If several entrants share the address, clients are assigned to
    /// them by name. A single entrant accepts clients with any name.
    pub(crate) fn expect(&self, name: &str) {
        let mut state = lock(&self.inner.state);
        if !state.expected.iter().any(|known| known == name) {
            state.expected.push(name.to_owned());
        }
    }

    /// Takes a client of the entrant `name`, and waits for one if necessary. Meanwhile `look` is
    /// called repeatedly; if it returns a reason, waiting ends.
    ///
    /// # Errors
    /// Returns the reason from `look`, or an error if no client connected before `until`. If a
    /// client was rejected, both include the reason for the last rejection.
    pub(crate) fn admit(
        &self,
        name: &str,
        until: Instant,
        look: &mut dyn FnMut() -> Option<String>,
    ) -> Result<WaitingClient, String> {
        let mut state = lock(&self.inner.state);
        loop {
            if let Some(guest) = state.take(name, self.inner.handshake) {
                return Ok(guest);
            }
            if let Some(reason) = look() {
                return Err(with_refused(reason, &state));
            }
            if until <= Instant::now() {
                return Err(with_refused(
                    format!("no client connected to {}", self.inner.address),
                    &state,
                ));
            }
            let waited = self.inner.changed.wait_timeout(state, TICK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn with_refused(reason: String, state: &ListenerState) -> String {
    match &state.refused {
        Some(refused) => format!("{reason}; a client was rejected: {refused}"),
        None => reason,
    }
}

impl Drop for SocketListener {
    fn drop(&mut self) {
        self.inner.closing.store(true, Relaxed);
        // A connection wakes the listening thread.
        if TcpStream::connect_timeout(&self.local_address(), WAKING).is_ok()
            && let Some(listener) = self.listener.take()
        {
            _ = listener.join();
        }
    }
}

impl ListenerState {
    /// Takes the client of an entrant that has waited for the longest time.
    fn take(&mut self, name: &str, handshake: &Handshake) -> Option<WaitingClient> {
        self.drop_lost(handshake);
        let is_shared = self.expected.len() > 1;
        let at = self
            .waiting
            .iter()
            .position(|guest| !is_shared || guest.greeting.is_of(name))?;
        self.waiting.remove(at)
    }

    /// Drops clients that have disconnected or sent unrequested bytes.
    fn drop_lost(&mut self, handshake: &Handshake) {
        self.waiting.retain_mut(|guest| {
            let lost = guest.check_connection(handshake).err();
            if let Some(lost) = &lost {
                self.refused = Some(format!("while waiting for a seat, {lost}"));
            }
            lost.is_none()
        });
    }

    /// Adds a client. Returns a reason if a client is disconnected: this one if no entrant has its
    /// name, or the oldest one of its entrant if too many are waiting.
    fn keep(&mut self, guest: WaitingClient, handshake: &Handshake) -> Option<String> {
        self.drop_lost(handshake);
        let is_shared = self.expected.len() > 1;
        let name = guest.greeting.name.as_deref().unwrap_or_default();
        if is_shared
            && !self
                .expected
                .iter()
                .any(|known| guest.greeting.is_of(known))
        {
            let expected = crate::text::quoted(&self.expected);
            return Some(format!(
                "its name is `{name}`; the entrants at this address are {expected}"
            ));
        }
        let share = (WAITING_MAX / self.expected.len().max(1)).max(1);
        let is_same = |other: &WaitingClient| !is_shared || other.greeting.is_of(name);
        let mut waiting = (0..self.waiting.len()).filter(|at| is_same(&self.waiting[*at]));
        let oldest = waiting.next();
        let dropped = oldest.filter(|_| share <= 1 + waiting.count());
        if let Some(oldest) = dropped {
            self.waiting.remove(oldest);
        }
        self.waiting.push_back(guest);
        dropped.map(|_| format!("{share} newer clients are already waiting"))
    }
}

impl WaitingClient {
    /// Checks that the client is still connected. If the protocol allows no unrequested messages,
    /// also checks that the client has sent nothing.
    ///
    /// # Errors
    /// Returns an error if the client has disconnected, or has sent bytes although it must not.
    pub(super) fn check_connection(&mut self, handshake: &Handshake) -> Result<(), ConnectionEnd> {
        match self.stream.expect_silence() {
            Err(ConnectionEnd::Unasked(_)) if handshake.allows_unrequested => Ok(()),
            outcome => outcome,
        }
    }
}

impl ClientGreeting {
    /// Returns `true` if the client has the name of an entrant. As on contest servers, only the
    /// first characters of the names are compared.
    fn is_of(&self, entrant: &str) -> bool {
        self.name
            .as_deref()
            .is_some_and(|name| compared_name(name) == compared_name(entrant))
    }
}

/// Returns the part of a client's name that is compared: the start of the trimmed name, at most
/// [`NAME_KEPT`] characters and [`NAME_BYTES`] bytes.
pub fn compared_name(name: &str) -> String {
    // The protocol may have cut the last character, which was then decoded as this one.
    let name = name.trim().trim_end_matches(char::REPLACEMENT_CHARACTER);
    let sent = &name[..name.floor_char_boundary(NAME_BYTES)];
    sent.chars().take(NAME_KEPT).collect()
}

impl SharedListener {
    /// Accepts clients until the listener is closed.
    fn listen(self: Arc<SharedListener>, listener: &TcpListener) {
        for arrival in listener.incoming() {
            if self.closing.load(Relaxed) {
                return;
            }
            let Ok(tcp) = arrival else {
                // A temporary error, for example a lack of descriptors.
                thread::sleep(TICK);
                continue;
            };
            while GREETED_MAX <= self.greeted.load(Relaxed) {
                thread::sleep(TICK);
            }
            self.greeted.fetch_add(1, Relaxed);
            let inner = Arc::clone(&self);
            let greet = move || {
                inner.greet(tcp);
                inner.greeted.fetch_sub(1, Relaxed);
            };
            if thread::Builder::new()
                .name(format!("{} greeting", self.handshake.name))
                .spawn(greet)
                .is_err()
            {
                self.greeted.fetch_sub(1, Relaxed);
                self.refuse("no thread could be started for the client");
            }
        }
    }

    fn greet(&self, tcp: TcpStream) {
        let greeted = Stream::new(tcp)
            .map_err(|error| error.to_string())
            .and_then(|mut stream| {
                let greeting =
                    (self.handshake.greet)(&mut stream, Instant::now() + self.handshake.greeting)?;
                Ok(WaitingClient { stream, greeting })
            });
        match greeted {
            Ok(guest) => self.keep(guest),
            Err(reason) => self.refuse(&reason),
        }
    }

    fn keep(&self, guest: WaitingClient) {
        let refused = lock(&self.state).keep(guest, self.handshake);
        match refused {
            Some(reason) => self.refuse(&reason),
            None => self.changed.notify_all(),
        }
    }

    fn refuse(&self, reason: &str) {
        let earlier = lock(&self.state).refused.replace(reason.to_owned());
        // A rejected client may connect again many times per second.
        if earlier.as_deref() != Some(reason) {
            tracing::warn!(
                "a client that connected to {} was rejected: {reason}",
                self.address
            );
        }
        self.changed.notify_all();
    }
}

/// Number of characters of a client's name that are compared with the names of entrants.
pub const NAME_KEPT: usize = 9;
/// Maximum number of bytes of a client's name in a contest protocol.
pub const NAME_BYTES: usize = 14;

/// The data of a client's first message.
#[derive(Debug, Default)]
pub struct ClientGreeting {
    /// Name of the client, if the protocol contains one.
    pub name: Option<String>,
    /// Version of the protocol, as the client states it.
    pub version: u32,
}

/// The greeting of a contest protocol, and properties of the protocol that the host needs.
#[derive(Debug)]
pub struct Handshake {
    /// Name of the protocol. League files use it as the `kind` of entrants.
    pub name: &'static str,
    /// Time that a client has to send its greeting.
    pub greeting: Duration,
    /// `true` if clients send their names, so that several entrants can share an address.
    pub names: bool,
    /// `true` if clients may send unrequested messages. Each answer then states which question it
    /// answers, and the protocol's agent matches them.
    pub allows_unrequested: bool,
    /// Reads the first message of a client before a deadline. An error is the reason why the client
    /// is rejected.
    pub greet: fn(&mut Stream, Instant) -> Result<ClientGreeting, String>,
}

/// The open listeners, with the addresses that were requested.
#[derive(Debug, Default)]
pub struct SocketListeners(Vec<(SocketAddr, Arc<SocketListener>)>);

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
        if let Some((_, listener)) = self.0.iter().find(|(known, _)| *known == address) {
            let spoken = listener.inner.handshake.name;
            if spoken != handshake.name {
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
        self.0.push((address, Arc::clone(&listener)));
        Ok(listener)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    /// A test protocol in which clients send their name in a line.
    static LINES: Handshake = Handshake {
        name: "lines",
        greeting: Duration::from_millis(300),
        names: true,
        allows_unrequested: false,
        greet: |stream, until| {
            let line = stream
                .read_line(80, until)
                .map_err(|lost| lost.to_string())?;
            Ok(ClientGreeting {
                name: Some(String::from_utf8_lossy(&line).into_owned()),
                version: 1,
            })
        },
    };

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(50)
    }

    fn patient() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    fn come(listener: &SocketListener, says: &str) -> TcpStream {
        let mut tcp = TcpStream::connect(listener.address()).unwrap();
        tcp.write_all(says.as_bytes()).unwrap();
        tcp
    }

    #[test]
    fn clients_are_assigned_to_entrants_by_name() {
        let listener = SocketListener::open("127.0.0.1:0".parse().unwrap(), &LINES).unwrap();
        listener.expect("alone");
        // A silent client does not delay others.
        let _silent = TcpStream::connect(listener.address()).unwrap();
        let _first = come(&listener, "whoever\n");
        let guest = listener.admit("alone", patient(), &mut || None).unwrap();
        assert_eq!(guest.greeting.name.as_deref(), Some("whoever"));

        listener.expect("Blauweregen");
        let (_a, _b) = (come(&listener, "Blauwereg\n"), come(&listener, "alone\n"));
        for name in ["alone", "Blauweregen"] {
            let guest = listener.admit(name, patient(), &mut || None).unwrap();
            assert!(guest.greeting.is_of(name));
        }
        let mut unknown = come(&listener, "stranger\n");
        assert_eq!(unknown.read(&mut [0]).unwrap(), 0, "it is sent away");
        let error = listener.admit("alone", soon(), &mut || None).unwrap_err();
        assert!(
            error.contains("no client connected to 127.0.0.1:")
                && error.contains("its name is `stranger`"),
            "{error}"
        );
        let error = listener
            .admit("alone", patient(), &mut || Some("it has died".into()))
            .unwrap_err();
        assert!(error.starts_with("it has died"), "{error}");
    }

    #[test]
    fn an_entrant_with_many_clients_does_not_keep_out_its_rivals() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let others = (1..WAITING_MAX / 2).map(|at| at.to_string());
        let mut state = ListenerState {
            expected: others.chain(["rival".into()]).collect(),
            ..ListenerState::default()
        };
        let come = |name: &str| {
            let peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let guest = WaitingClient {
                stream: Stream::new(listener.accept().unwrap().0).unwrap(),
                greeting: ClientGreeting {
                    name: Some(name.into()),
                    version: 1,
                },
            };
            (peer, guest)
        };
        let mut clients = ["1", "rival", "1"].map(|name| {
            let (peer, guest) = come(name);
            assert_eq!(state.keep(guest, &LINES), None);
            peer
        });
        let (fourth, guest) = come("1");
        let refused = state.keep(guest, &LINES).unwrap();
        assert_eq!(refused, "2 newer clients are already waiting");
        assert_eq!(clients[0].read(&mut [0]).unwrap(), 0, "it is sent away");
        // A client that has disconnected does not count.
        drop(fourth);
        let gone = state.waiting.back_mut().unwrap();
        gone.stream.read_exact(&mut [0], patient()).unwrap_err();
        let (_fifth, guest) = come("1");
        assert_eq!(state.keep(guest, &LINES), None);
        assert!(state.take("rival", &LINES).is_some());
    }

    #[test]
    fn names_are_compared_up_to_the_last_complete_character() {
        let name = "\u{85e4}\u{306e}\u{82b1}\u{675f}\u{304b}";
        let sent = String::from_utf8_lossy(&name.as_bytes()[..NAME_BYTES]);
        assert_eq!(
            compared_name(&sent),
            name.chars().take(4).collect::<String>()
        );
        for name in [
            name,
            "Blauweregen",
            " pyc ",
            "\u{85e4}\u{306e}\u{82b1}ab\u{1f0cf}",
        ] {
            let sent = &name.as_bytes()[..name.len().min(NAME_BYTES)];
            let sent = String::from_utf8_lossy(sent);
            assert_eq!(compared_name(&sent), compared_name(name));
        }
    }

    #[test]
    fn disconnected_or_talkative_clients_are_dropped_and_the_port_is_released() {
        let listener = SocketListener::open("127.0.0.1:0".parse().unwrap(), &LINES).unwrap();
        listener.expect("one");
        drop(come(&listener, "gone\n"));
        let _babbler = come(&listener, "one\nand so on");
        let _long = come(&listener, &"x".repeat(100));
        assert!(listener.admit("one", soon(), &mut || None).is_err());
        let address = listener.address();
        drop(listener);
        SocketListener::open(address, &LINES).unwrap();
    }
}
