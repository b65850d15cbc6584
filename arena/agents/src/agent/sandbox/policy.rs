//! Data types for the limits and permissions of a bot's process.

use crate::agent::ProcessLimits;

/// Number of descriptors that a bot cannot close in a library's process: the standard ones and two
/// pipes to the host.
pub(super) const DESCRIPTORS_KEPT: u64 = 5;
/// Number of processes in a library's namespaces besides the process that runs the bot: the helper
/// and the idle process.
const BESIDE_LIBRARY: u64 = 2;
/// Maximum number of processes and threads of a program together, which is enough for common
/// runtimes.
const TASKS_OF_PROGRAM: u64 = 256;

/// The limits and permissions of a bot's process. There is no default, because a forgotten field
/// would be a security hole.
pub(crate) struct SandboxPolicy {
    /// Limits of memory and processor time.
    pub limits: ProcessLimits,
    /// Kind of memory that is limited.
    pub memory: MemoryLimit,
    /// Maximum number of processes and threads of the user, with a description of this limit, or
    /// the reason why they are not limited.
    pub tasks: Result<(u64, String), String>,
    /// Maximum size of a file that a process may write, in bytes.
    pub file_bytes: u64,
    /// Maximum number of open descriptors of a process.
    pub descriptors: u64,
    /// `true` if other processes of the same user may read the memory of the process. A helper must
    /// read the paths that its library process requests; a program must not read its init process.
    pub is_dumpable: bool,
}

/// The kind of memory that is limited.
pub(crate) enum MemoryLimit {
    /// Address space of the process, in addition to the part already in use.
    AddressSpace,
    /// Writable memory of each process, because runtimes reserve address space that they do not
    /// use. If `is_counted`, the init process also limits the memory of all processes together.
    Data { is_counted: bool },
}

impl SandboxPolicy {
    /// Returns the policy of a process that loads a library and may start `threads` threads. Their
    /// number can be limited only if the process has its own user namespace (`has_own_users`).
    pub(crate) fn of_library(
        limits: ProcessLimits,
        threads: u32,
        has_own_users: bool,
    ) -> SandboxPolicy {
        let count = u64::from(threads);
        SandboxPolicy {
            limits,
            memory: MemoryLimit::AddressSpace,
            tasks: match (threads, has_own_users) {
                (0, _) => Ok((0, "none can be started".to_owned())),
                // The bot's own process counts too.
                (_, true) => Ok((
                    BESIDE_LIBRARY + 1 + count,
                    format!("no new processes, at most {threads} threads in addition to the first"),
                )),
                (_, false) => Err(
                    "the number of threads cannot be limited without a separate user \
                     namespace"
                        .to_owned(),
                ),
            },
            file_bytes: 1 << 20,
            descriptors: 16,
            is_dumpable: true,
        }
    }

    /// Returns the policy of a program and its child processes. `others` is the number of other
    /// processes of the same user. If processes cannot be limited, `has_own_users` is an error that
    /// contains the reason.
    pub(crate) fn of_program(
        limits: ProcessLimits,
        others: u64,
        has_own_users: Result<(), String>,
        is_counted: bool,
    ) -> SandboxPolicy {
        let words =
            format!("at most {TASKS_OF_PROGRAM} in total; processes of others are not visible");
        SandboxPolicy {
            limits,
            memory: MemoryLimit::Data { is_counted },
            tasks: has_own_users.map(|()| (TASKS_OF_PROGRAM + others, words)),
            file_bytes: 32 << 20,
            descriptors: 256,
            is_dumpable: false,
        }
    }
}
