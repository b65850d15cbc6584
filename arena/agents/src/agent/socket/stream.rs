//! A connection to a client. Reads and writes are complete or fail at a deadline.

use crate::agent::transport::timed;
use crate::agent::{AgentError, FaultScope};
use crate::record::FaultKind;
use std::fmt::{self, Display, Formatter};
use std::io::{self, ErrorKind};
use std::net::{Shutdown, TcpStream};
use std::time::Instant;

/// Maximum number of bytes that one system call receives.
const READ_AT_ONCE: usize = 4096;

/// A TCP connection to a client.
///
/// [`Stream::put`] collects bytes and [`Stream::flush`] sends them with one system call, so that a
/// peer receives a whole message with one read. Reads continue until all bytes have arrived.
#[derive(Debug)]
pub struct Stream {
    tcp: TcpStream,
    out: Vec<u8>,
    /// Received bytes that have not been consumed: `inbox[taken..filled]`.
    inbox: Box<[u8; READ_AT_ONCE]>,
    taken: usize,
    filled: usize,
}

/// The cause of a failed read or write.
#[derive(Debug)]
pub enum ConnectionEnd {
    /// The deadline passed. Contains the numbers of transferred and of required bytes; 0 required
    /// bytes stand for a line.
    Late(usize, usize),
    /// The peer closed the connection. Contains the numbers of transferred and of required bytes; 0
    /// required bytes stand for a line.
    Closed(usize, usize),
    /// A line is longer than this many bytes.
    TooLong(usize),
    /// The peer has sent at least this number of unrequested bytes.
    Unasked(usize),
    /// A system call failed.
    Broken(io::Error),
}

impl Display for ConnectionEnd {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ConnectionEnd::Late(0, _) => f.write_str("no data arrived in time"),
            ConnectionEnd::Late(came, 0) => {
                write!(f, "{came} bytes arrived in time, but no end of line")
            }
            ConnectionEnd::Late(came, due) => {
                write!(f, "only {came} of {due} bytes arrived in time")
            }
            ConnectionEnd::Closed(0, _) => f.write_str("it closed the connection"),
            ConnectionEnd::Closed(came, 0) => {
                write!(f, "it closed the connection after {came} bytes of a line")
            }
            ConnectionEnd::Closed(came, due) => {
                write!(f, "it closed the connection after {came} of {due} bytes")
            }
            ConnectionEnd::TooLong(most) => write!(f, "it sent a line of more than {most} bytes"),
            ConnectionEnd::Unasked(bytes) => write!(f, "it sent {bytes} unrequested bytes"),
            ConnectionEnd::Broken(error) => match error.kind() {
                ErrorKind::ConnectionReset
                | ErrorKind::BrokenPipe
                | ErrorKind::ConnectionAborted => f.write_str("it aborted the connection"),
                _ => write!(f, "the connection failed: {error}"),
            },
        }
    }
}

impl ConnectionEnd {
    /// Returns `true` if the peer has disconnected.
    pub fn is_gone(&self) -> bool {
        matches!(self, ConnectionEnd::Closed(..) | ConnectionEnd::Broken(_))
    }

    /// Returns the fault of a client whose connection failed during `call`. The connection cannot
    /// be used any more.
    pub(crate) fn agent_error(&self, call: &str) -> AgentError {
        let kind = match self {
            ConnectionEnd::Late(..) => FaultKind::Time,
            ConnectionEnd::Closed(..) | ConnectionEnd::Broken(_) => FaultKind::Crash,
            ConnectionEnd::TooLong(_) | ConnectionEnd::Unasked(_) => FaultKind::Error,
        };
        AgentError::new(kind, format!("{call}: {self}")).with_scope(FaultScope::Deal)
    }
}

impl Stream {
    /// Creates a connection that sends without delay.
    ///
    /// # Errors
    /// Returns an error if a system call fails.
    pub fn new(tcp: TcpStream) -> io::Result<Stream> {
        // Otherwise short messages wait for the peer's delayed acknowledgement.
        tcp.set_nodelay(true)?;
        tcp.set_nonblocking(true)?;
        let inbox = Box::new([0; READ_AT_ONCE]);
        Ok(Stream {
            tcp,
            out: Vec::new(),
            inbox,
            taken: 0,
            filled: 0,
        })
    }

    /// Adds bytes for the next [`Stream::flush`].
    pub fn put(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Returns the buffer for the next [`Stream::flush`].
    pub fn outbox(&mut self) -> &mut Vec<u8> {
        &mut self.out
    }

    /// Sends all buffered bytes.
    ///
    /// # Errors
    /// Returns an error if the peer does not receive them before `until` or has disconnected.
    pub fn flush(&mut self, until: Instant) -> Result<(), ConnectionEnd> {
        let mut sent = 0;
        while sent < self.out.len() {
            let outcome = timed::write(&mut self.tcp, &self.out[sent..], until);
            sent += transferred(outcome, sent, self.out.len())?;
        }
        self.out.clear();
        Ok(())
    }

    /// Fills `bytes`.
    ///
    /// # Errors
    /// Returns an error if not all bytes arrive before `until`.
    pub fn read_exact(&mut self, bytes: &mut [u8], until: Instant) -> Result<(), ConnectionEnd> {
        let mut came = 0;
        loop {
            let ready = (self.filled - self.taken).min(bytes.len() - came);
            bytes[came..came + ready].copy_from_slice(&self.inbox[self.taken..self.taken + ready]);
            self.taken += ready;
            came += ready;
            if came == bytes.len() {
                return Ok(());
            }
            self.receive(until, (came, bytes.len()))?;
        }
    }

    /// Reads a line and returns it without its end, LF or CR LF.
    ///
    /// # Errors
    /// Returns an error if the line does not end before `until` or within `most` bytes.
    pub fn read_line(&mut self, most: usize, until: Instant) -> Result<Vec<u8>, ConnectionEnd> {
        let mut line = Vec::new();
        loop {
            let ready = &self.inbox[self.taken..self.filled];
            let end = ready.iter().position(|&byte| byte == b'\n');
            line.extend_from_slice(&ready[..end.unwrap_or(ready.len())]);
            self.taken += end.map_or(ready.len(), |end| end + 1);
            if most < line.len() {
                return Err(ConnectionEnd::TooLong(most));
            }
            if end.is_some() {
                line.pop_if(|byte| *byte == b'\r');
                return Ok(line);
            }
            self.receive(until, (line.len(), 0))?;
        }
    }

    /// Checks that the peer has sent nothing unrequested.
    ///
    /// # Errors
    /// Returns an error if the peer has sent bytes or has disconnected.
    pub(crate) fn expect_silence(&mut self) -> Result<(), ConnectionEnd> {
        let kept = self.filled - self.taken;
        if kept != 0 {
            return Err(ConnectionEnd::Unasked(kept));
        }
        match self.tcp.peek(&mut self.inbox[..]) {
            Ok(0) => Err(ConnectionEnd::Closed(0, 0)),
            Ok(count) => Err(ConnectionEnd::Unasked(count)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(ConnectionEnd::Broken(error)),
        }
    }

    /// Sends the buffered bytes until the deadline and closes the connection.
    pub(crate) fn close(mut self, until: Instant) {
        // Fails if the peer has disconnected.
        _ = self.flush(until);
        _ = self.tcp.shutdown(Shutdown::Both);
    }

    /// Fills the empty inbox with one read.
    fn receive(
        &mut self,
        until: Instant,
        (came, due): (usize, usize),
    ) -> Result<(), ConnectionEnd> {
        (self.taken, self.filled) = (0, 0);
        let outcome = timed::read(&mut self.tcp, &mut self.inbox[..], until);
        self.filled = transferred(outcome, came, due)?;
        Ok(())
    }
}

/// Returns the number of bytes that a call transferred. `came` bytes were transferred before, and
/// `due` bytes are required in total.
fn transferred(
    outcome: io::Result<usize>,
    came: usize,
    due: usize,
) -> Result<usize, ConnectionEnd> {
    match outcome {
        Ok(0) => Err(ConnectionEnd::Closed(came, due)),
        Ok(count) => Ok(count),
        Err(error) if error.kind() == ErrorKind::TimedOut => Err(ConnectionEnd::Late(came, due)),
        Err(error) => Err(ConnectionEnd::Broken(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::TcpListener;
    use std::thread;
    use std::time::Duration;

    fn pair() -> (Stream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (Stream::new(listener.accept().unwrap().0).unwrap(), near)
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(80)
    }

    fn patient() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn lines_are_assembled_from_partial_reads_and_extra_bytes_are_buffered() {
        let (mut stream, mut peer) = pair();
        let writer = thread::spawn(move || {
            for piece in ["on", "e tw", "o\r\nthree\nfour"] {
                peer.write_all(piece.as_bytes()).unwrap();
                thread::sleep(Duration::from_millis(5));
            }
            peer
        });
        let mut bytes = [0; 4];
        stream.read_exact(&mut bytes, patient()).unwrap();
        assert_eq!(&bytes, b"one ");
        assert_eq!(stream.read_line(10, patient()).unwrap(), b"two");
        assert_eq!(stream.read_line(10, patient()).unwrap(), b"three");
        stream.read_exact(&mut bytes, patient()).unwrap();
        assert_eq!(&bytes, b"four");
        stream.expect_silence().unwrap();
        drop(writer.join().unwrap());
    }

    #[test]
    fn reads_and_writes_end_at_the_deadline() {
        let (mut stream, mut peer) = pair();
        peer.write_all(b"half").unwrap();
        let mut bytes = [0; 8];
        assert!(matches!(
            stream.read_exact(&mut bytes, soon()),
            Err(ConnectionEnd::Late(4, 8))
        ));
        peer.write_all(b"half a line").unwrap();
        assert!(matches!(
            stream.read_line(100, soon()),
            Err(ConnectionEnd::Late(11, 0))
        ));
        peer.write_all(&[b'x'; 200]).unwrap();
        assert!(matches!(
            stream.read_line(100, patient()),
            Err(ConnectionEnd::TooLong(100))
        ));
        // The peer reads nothing.
        stream.outbox().resize(64 << 20, 0);
        assert!(matches!(stream.flush(soon()), Err(ConnectionEnd::Late(..))));
    }

    #[test]
    fn unrequested_bytes_and_closed_connections_are_reported() {
        let (mut stream, mut peer) = pair();
        stream.expect_silence().unwrap();
        peer.write_all(b"me!").unwrap();
        while stream.expect_silence().is_ok() {
            thread::sleep(Duration::from_millis(1));
        }
        assert!(matches!(
            stream.expect_silence(),
            Err(ConnectionEnd::Unasked(3))
        ));
        let mut bytes = [0; 2];
        stream.read_exact(&mut bytes, patient()).unwrap();
        assert!(matches!(
            stream.expect_silence(),
            Err(ConnectionEnd::Unasked(1))
        ));
        drop(peer);
        let mut bytes = [0; 4];
        assert!(matches!(
            stream.read_exact(&mut bytes, patient()),
            Err(ConnectionEnd::Closed(1, 4) | ConnectionEnd::Broken(_))
        ));
        let agent_error = ConnectionEnd::Closed(1, 4).agent_error("play");
        assert_eq!(
            agent_error.message,
            "play: it closed the connection after 1 of 4 bytes"
        );
        assert_eq!(
            (agent_error.kind, agent_error.scope),
            (FaultKind::Crash, FaultScope::Deal)
        );
    }
}
