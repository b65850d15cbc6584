//! What the host and the helper of a worker say to each other: one JSON object each, with
//! descriptors, on a socket. Neither runs code of bots.

use crate::agent::{Limits, LoadError, Sandboxed};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The place of a bot's code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Code {
    /// In the library of this path, without links; in bytes, for not every path is text.
    File(Vec<u8>),
    /// Linked into this program: the name of the bot's package.
    BuiltIn(String),
}

impl Code {
    /// Returns the code in the library at `path`.
    #[must_use]
    pub(crate) fn file(path: &Path) -> Code {
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Code::File(path.into_os_string().into_encoded_bytes())
    }

    /// Returns what stands for it in messages and in a list of processes.
    pub(super) fn place(&self) -> &Path {
        use std::os::unix::ffi::OsStrExt;
        match self {
            Code::BuiltIn(package) => Path::new(package),
            Code::File(path) => Path::new(std::ffi::OsStr::from_bytes(path)),
        }
    }
}

/// What a worker is started with.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    /// The place of the bot's code.
    pub code: Code,
    /// Its hash: a bot that is built anew while a league plays must not play on under the same
    /// name.
    pub hash: u64,
    /// The bot whose instances are wanted; `None` to describe the library only.
    pub id: Option<String>,
    /// Settings of the bot, as JSON.
    pub config_json: String,
    /// What it may use.
    pub limits: Limits,
    /// Threads that the bot may start.
    pub threads: u32,
    /// Whether messages of the lowest level are wanted.
    pub debug: bool,
    /// The process that the worker must not outlive.
    pub parent: u32,
}

/// From the host to the helper.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Command {
    /// Read the library. The answer is [`Report::Ready`] or a refusal.
    Prepare(Box<Order>),
    /// Start a process, with the three pipes that come along. There is no answer; the process
    /// itself says that it is ready.
    Start,
    /// Look at the process, which has loaded its library. The answer is [`Report::Inspected`].
    Inspect,
    /// End the process; first wait whether it ends by itself where it `may_end`. The answer is
    /// [`Report::Ended`].
    End { may_end: bool },
}

/// From the helper to the host.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Report {
    /// Processes can be started.
    Ready,
    /// The library's file is not what the host has looked at.
    Changed,
    /// The library cannot be used.
    Refused(Refusal),
    /// The process has loaded its library.
    Inspected(Inspected),
    /// The process has ended.
    Ended(Ended),
}

/// What a worker says against a library.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Refusal {
    pub cause: String,
    pub cure: String,
}

impl From<LoadError> for Refusal {
    fn from(error: LoadError) -> Refusal {
        let LoadError { cause, cure, .. } = error;
        Refusal { cause, cure }
    }
}

/// A process that has loaded its library.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Inspected {
    /// Its number.
    pub process: i32,
    /// Its sandbox, by what was tried before the library was loaded.
    pub sandbox: Sandboxed,
    /// What is not as it was, seen from outside.
    pub broken: Option<String>,
}

/// How a process has ended, and what it used.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Ended {
    /// How it has ended.
    pub fate: Fate,
    /// Most memory that it has had in use, in KiB.
    pub peak_kib: u64,
    /// Its threads when it was to end.
    pub threads: u64,
    /// The helper ends, because all in its namespace have been killed.
    pub is_last: bool,
}

/// How a process has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Fate {
    /// By itself, or by others, with this status of the system.
    Exited(i32),
    /// By the helper.
    Killed,
    /// It could not be started: the number of the error.
    NotStarted(i32),
}

#[cfg(target_os = "linux")]
pub(super) use socket::{pass, receive, receive_bytes, send};

#[cfg(target_os = "linux")]
mod socket {
    use rustix::io::Errno;
    use rustix::net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
        SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
    };
    use serde::{Serialize, de::DeserializeOwned};
    use std::io::{self, IoSlice, IoSliceMut, Read, Write};
    use std::mem::MaybeUninit;
    use std::os::fd::{BorrowedFd, OwnedFd};
    use std::os::unix::net::UnixStream;

    /// Most descriptors of a message.
    const DESCRIPTORS_MAX: usize = 3;
    /// Most bytes of a message.
    const MESSAGE_MAX: usize = 1 << 24;

    /// Sends an object, and at most three descriptors.
    ///
    /// # Errors
    /// What the socket says.
    pub(crate) fn send(
        socket: &UnixStream,
        object: &impl Serialize,
        descriptors: &[BorrowedFd<'_>],
    ) -> io::Result<()> {
        let json = serde_json::to_vec(object)?;
        let size = u32::try_from(json.len()).map_err(io::Error::other)?;
        let message = [&size.to_ne_bytes()[..], &json].concat();
        pass(socket, &message, descriptors)
    }

    /// Receives an object, and the descriptors that come with it.
    ///
    /// # Errors
    /// `UnexpectedEof` where the other side has closed, `InvalidData` for another object, and what
    /// the socket says.
    pub(crate) fn receive<T: DeserializeOwned>(
        mut socket: &UnixStream,
    ) -> io::Result<(T, Vec<OwnedFd>)> {
        let mut size = [0; size_of::<u32>()];
        let descriptors = receive_bytes(socket, &mut size)?;
        let size = u32::from_ne_bytes(size) as usize;
        if MESSAGE_MAX < size {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut json = vec![0; size];
        socket.read_exact(&mut json)?;
        Ok((serde_json::from_slice(&json)?, descriptors))
    }

    /// Sends bytes, and at most three descriptors with the first of them.
    ///
    /// # Errors
    /// What the socket says.
    pub(crate) fn pass(
        mut socket: &UnixStream,
        bytes: &[u8],
        descriptors: &[BorrowedFd<'_>],
    ) -> io::Result<()> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_MAX))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        let fits =
            descriptors.is_empty() || control.push(SendAncillaryMessage::ScmRights(descriptors));
        assert!(fits, "at most three are sent");
        let bytes_slice = [IoSlice::new(bytes)];
        let sent = loop {
            match sendmsg(socket, &bytes_slice, &mut control, SendFlags::NOSIGNAL) {
                Err(Errno::INTR) => {}
                sent => break sent?,
            }
        };
        socket.write_all(&bytes[sent..])
    }

    /// Receives as many bytes as asked for, and what descriptors come with the first of them.
    ///
    /// # Errors
    /// `UnexpectedEof` where the other side has closed, and what the socket says.
    pub(crate) fn receive_bytes(
        mut socket: &UnixStream,
        bytes: &mut [u8],
    ) -> io::Result<Vec<OwnedFd>> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_MAX))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let came = loop {
            let mut slice = [IoSliceMut::new(bytes)];
            match recvmsg(socket, &mut slice, &mut control, RecvFlags::CMSG_CLOEXEC) {
                Err(Errno::INTR) => {}
                came => break came?.bytes,
            }
        };
        if came == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut descriptors = Vec::new();
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(more) = message {
                descriptors.extend(more);
            }
        }
        socket.read_exact(&mut bytes[came..])?;
        Ok(descriptors)
    }
}
