//! Messages between the host and the helper of a worker: JSON objects on a socket, some with file
//! descriptors. Neither side runs code of bots.

use crate::agent::{ProcessLimits, SandboxReport};
use crate::files;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The location of a bot's code.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum CodeLocation {
    /// Library at this canonical path. The path is stored as bytes, because it need not be UTF-8.
    File(Vec<u8>),
    /// Package with this name that is linked into this program.
    BuiltIn(String),
}

impl CodeLocation {
    /// Returns the location of the library at `path`.
    pub(crate) fn file(path: &Path) -> CodeLocation {
        let path = files::canonical(path);
        CodeLocation::File(path.into_os_string().into_encoded_bytes())
    }

    /// Returns the path of the library or the name of the package, for messages and process lists.
    pub(super) fn place(&self) -> &Path {
        use std::os::unix::ffi::OsStrExt;
        match self {
            CodeLocation::BuiltIn(package) => Path::new(package),
            CodeLocation::File(path) => Path::new(std::ffi::OsStr::from_bytes(path)),
        }
    }
}

/// The parameters of a worker.
#[derive(Serialize, Deserialize)]
pub(super) struct WorkerSpec {
    /// Location of the bot's code.
    pub code: CodeLocation,
    /// Hash of the code when the league started. A bot that is rebuilt while a league runs must not
    /// be mixed with the old one.
    pub hash: u64,
    /// Id of the bot; `None` to read only the descriptors.
    pub id: Option<String>,
    /// Config of the bot, as JSON.
    pub config_json: String,
    /// Resource limits.
    pub limits: ProcessLimits,
    /// Number of threads that the bot may start.
    pub threads: u32,
    /// `true` if debug messages are logged.
    pub debug: bool,
    /// Process id of the host. The worker is killed when the host ends.
    pub parent: u32,
}

/// The commands from the host to the helper.
#[derive(Serialize, Deserialize)]
pub(super) enum HelperCommand {
    /// Read the library. The helper answers with a `Result<(), LoadError>`.
    Prepare(Box<WorkerSpec>),
    /// Start a process with the three attached pipes. The helper sends no answer; the process
    /// itself tells the host that it is ready.
    Start,
    /// Check the sandbox of the process after it has loaded its library. The helper answers with an
    /// [`Inspected`].
    Inspect,
    /// End the process. If `may_end`, first wait for it to exit by itself. The helper answers with
    /// a [`ProcessExit`].
    End { may_end: bool },
}

/// The process id of a process that has loaded its library, and the restrictions set before. The
/// error is a restriction that the helper found to be no longer in effect.
pub(super) type Inspected = Result<(i32, SandboxReport), String>;

/// The end of a process and its resource usage.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct ProcessExit {
    /// Cause of the end.
    pub fate: ExitKind,
    /// Peak memory in KiB.
    pub peak_kib: u64,
    /// Number of threads before the end.
    pub threads: u64,
    /// `true` if the helper exits too, because all processes of its namespace have been killed.
    pub is_last: bool,
}

/// The cause of the end of a process.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) enum ExitKind {
    /// The process exited, or another process killed it. Contains the wait status.
    Exited(i32),
    /// The helper killed the process.
    Killed,
    /// The process could not be started. Contains the error number.
    NotStarted(i32),
}

#[cfg(target_os = "linux")]
pub(super) use socket::{pass, receive, receive_bytes, send};

#[cfg(target_os = "linux")]
mod socket {
    use rustix::io::retry_on_intr;
    use rustix::net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
        SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
    };
    use serde::{Serialize, de::DeserializeOwned};
    use std::io::{self, IoSlice, IoSliceMut, Read, Write};
    use std::mem::MaybeUninit;
    use std::os::fd::{BorrowedFd, OwnedFd};
    use std::os::unix::net::UnixStream;

    /// Maximum number of descriptors in a message.
    const DESCRIPTORS_MAX: usize = 3;
    /// Maximum size of a message in bytes.
    const MESSAGE_MAX: usize = 1 << 24;

    /// Sends an object and up to three descriptors.
    ///
    /// # Errors
    /// Returns the error of the socket.
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

    /// Receives an object and the descriptors attached to it.
    ///
    /// # Errors
    /// Returns `UnexpectedEof` if the other side has closed the socket, `InvalidData` for an
    /// invalid object, or the error of the socket.
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

    /// Sends bytes. Up to three descriptors are attached to the first byte.
    ///
    /// # Errors
    /// Returns the error of the socket.
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
        let sent =
            retry_on_intr(|| sendmsg(socket, &bytes_slice, &mut control, SendFlags::NOSIGNAL))?;
        socket.write_all(&bytes[sent..])
    }

    /// Fills `bytes` and returns the descriptors that are attached to the first byte.
    ///
    /// # Errors
    /// Returns `UnexpectedEof` if the other side has closed the socket, or the error of the socket.
    pub(crate) fn receive_bytes(
        mut socket: &UnixStream,
        bytes: &mut [u8],
    ) -> io::Result<Vec<OwnedFd>> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_MAX))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let came = retry_on_intr(|| {
            let mut slice = [IoSliceMut::new(bytes)];
            recvmsg(socket, &mut slice, &mut control, RecvFlags::CMSG_CLOEXEC)
        })?
        .bytes;
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
