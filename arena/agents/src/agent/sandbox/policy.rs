//! Limits and permissions of a bot's process, as data.

use crate::agent::ProcessLimits;

/// Number of descriptors of a library's process that stay open: the standard ones and two pipes to
/// the host. The bot cannot close them.
pub(crate) const DESCRIPTORS_KEPT: i32 = 5;
/// Number of processes in a library's namespaces in addition to the bot's: the helper and an idle
/// one.
const BESIDE_LIBRARY: u64 = 2;
/// Maximum number of processes and threads of a program together: enough for every runtime.
const TASKS_OF_PROGRAM: u64 = 256;

/// The limits and permissions of a bot's process. There is no default, because a wrong field is a
/// security hole.
#[derive(Clone, Debug)]
pub(crate) struct SandboxPolicy {
    /// Limits of memory and processor time.
    pub limits: ProcessLimits,
    /// Kind of memory that is limited.
    pub memory: MemoryLimit,
    /// Maximum number of processes and threads of the user, with a description; or the reason why
    /// they are not limited.
    pub tasks: Result<(u64, String), String>,
    /// Maximum size of a file that a process may write, in bytes.
    pub file_bytes: u64,
    /// Maximum number of open descriptors of a process.
    pub descriptors: u64,
    /// `true` if other processes of the same user may read its memory. The helper reads the paths
    /// that a library requests; a program must not read the init process.
    pub is_dumpable: bool,
}

/// The kind of memory that is limited.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MemoryLimit {
    /// Address space in addition to that in use.
    AddressSpace,
    /// Writable memory of each process, because runtimes reserve address space that they do not
    /// use. With `is_counted`, the init process also measures the memory of all processes together.
    Data { is_counted: bool },
}

impl SandboxPolicy {
    /// Returns the policy of a process that loads a library and may start `threads` threads. They
    /// can be limited only if the process `has_own_users`, that is, a user namespace.
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
                    "threads are granted, but they cannot be limited without a separate user \
                     namespace"
                        .to_owned(),
                ),
            },
            file_bytes: 1 << 20,
            descriptors: 16,
            is_dumpable: true,
        }
    }

    /// Returns the policy of a program and its child processes, in addition to `others` processes
    /// of the same user. `has_own_users` is the reason why processes cannot be limited, if so.
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
