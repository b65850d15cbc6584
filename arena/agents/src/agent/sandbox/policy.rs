//! What a bot's process may use, as data.

use crate::agent::Limits;

/// Descriptors of a library's process that stay open: the standard ones and two pipes to the host.
/// The bot cannot close them.
pub(crate) const DESCRIPTORS_KEPT: i32 = 5;
/// Processes beside the bot's own in the namespace of a library: the helper and an idle one.
const BESIDE_LIBRARY: u64 = 2;
/// Processes and threads of a program together: enough for every runtime.
const TASKS_OF_PROGRAM: u64 = 256;

/// What a bot's process may use. There is no default: a wrong field is a hole.
#[derive(Clone, Debug)]
pub(crate) struct SandboxPolicy {
    /// Memory and processor time.
    pub limits: Limits,
    /// The memory that counts.
    pub memory: Memory,
    /// Processes and threads of the user, with the words for them; or why nothing counts them.
    pub tasks: Result<(u64, String), String>,
    /// Most bytes of a file that a process may write.
    pub file_bytes: u64,
    /// Most descriptors that a process may have open at once.
    pub descriptors: u64,
    /// Other processes of the same user may read its memory. The helper reads the paths that a
    /// library asks for; a program must not read the process that guards it.
    pub is_dumpable: bool,
}

/// The memory of a process that counts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Memory {
    /// Address space beyond what the process has now.
    AddressSpace,
    /// Writable memory of each process: runtimes reserve address space that they do not use. The
    /// memory of all processes together is counted by others where this says so.
    Data { is_counted: bool },
}

impl SandboxPolicy {
    /// Returns the policy of a process that loads a library and may start so many threads. The
    /// threads can be counted where the process `has_own_users`.
    pub(crate) fn of_library(limits: Limits, threads: u32, has_own_users: bool) -> SandboxPolicy {
        let count = u64::from(threads);
        SandboxPolicy {
            limits,
            memory: Memory::AddressSpace,
            tasks: match (threads, has_own_users) {
                (0, _) => Ok((0, "no new ones".to_owned())),
                // The bot's own process counts too.
                (_, true) => Ok((
                    BESIDE_LIBRARY + 1 + count,
                    format!("no processes, {threads} threads beside the first"),
                )),
                (_, false) => Err(
                    "threads are granted, and without a namespace of its own for users nothing counts them"
                        .to_owned(),
                ),
            },
            file_bytes: 1 << 20,
            descriptors: 16,
            is_dumpable: true,
        }
    }

    /// Returns the policy of a program and all that it starts, beside `others` processes of the
    /// same user. `has_own_users` says why nothing counts them, if so.
    pub(crate) fn of_program(
        limits: Limits,
        others: u64,
        has_own_users: Result<(), String>,
        is_counted: bool,
    ) -> SandboxPolicy {
        let words = format!("{TASKS_OF_PROGRAM} together, none of others in sight");
        SandboxPolicy {
            limits,
            memory: Memory::Data { is_counted },
            tasks: has_own_users.map(|()| (TASKS_OF_PROGRAM + others, words)),
            file_bytes: 32 << 20,
            descriptors: 256,
            is_dumpable: false,
        }
    }
}
