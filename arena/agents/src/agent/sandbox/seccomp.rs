//! Filters of system calls: functions that create them and set them on this process.

#![expect(
    unsafe_code,
    reason = "seccomp filters and tests of forbidden calls need raw system calls"
)]

use crate::agent::process::checked;
use crate::text::error_text;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, sock_filter,
};
use std::collections::BTreeMap;
use std::io;

/// Creates a list of system call numbers from their names.
macro_rules! calls {
    ($($(#[$attribute:meta])? $call:ident)*) => {
        &[$($(#[$attribute])? libc::$call),*]
    };
}
pub(super) use calls;

/// A system call to test: name, number and three arguments.
type ProbeCall = (&'static str, libc::c_long, [libc::c_long; 3]);

/// Creates a list of calls for [`check_refused`] from their names and arguments.
macro_rules! probes {
    ($($call:ident[$($argument:expr),*])*) => {
        &[$((stringify!($call), libc::$call, [$(libc::c_long::from($argument)),*])),*]
    };
}
pub(super) use probes;

/// Calls that fail with `ENOSYS`, as on a kernel without them, because filters cannot check their
/// arguments: `clone3` passes its flags in memory. Libraries then use `clone`.
pub(super) const HIDDEN: &[i64] = calls![SYS_clone3];

/// Action that rejects a call with `EPERM`.
pub(super) const EPERM: SeccompAction = SeccompAction::Errno(libc::EPERM.cast_unsigned());

/// Sets the filter for the calls in [`HIDDEN`] on this process.
///
/// # Errors
/// Returns an error if the kernel rejects the filter.
pub(super) fn hide() -> Result<(), String> {
    let enosys = SeccompAction::Errno(libc::ENOSYS.cast_unsigned());
    set(&program(always(HIDDEN), SeccompAction::Allow, enosys)?, 0).map(drop)
}

/// Rules by system call number. A call with an empty list of rules always matches.
type SeccompRules = BTreeMap<i64, Vec<SeccompRule>>;

/// A condition on an argument: index, size, operator and value.
type ArgumentCondition = (u8, SeccompCmpArgLen, SeccompCmpOp, u64);
/// A system call with alternative lists of conditions. It matches if all conditions of one list
/// hold.
pub(super) type SeccompCall = (i64, Vec<Vec<ArgumentCondition>>);

/// Returns rules for calls with conditions.
///
/// # Errors
/// Returns an error if a condition is invalid.
pub(super) fn rules(calls: Vec<SeccompCall>) -> Result<SeccompRules, String> {
    let rule = |way: Vec<ArgumentCondition>| {
        let conditions = way.into_iter().map(|(argument, size, operator, value)| {
            SeccompCondition::new(argument, size, operator, value)
        });
        SeccompRule::new(conditions.collect::<Result<_, _>>().map_err(error_text)?)
            .map_err(error_text)
    };
    calls
        .into_iter()
        .map(|(call, ways)| Ok((call, ways.into_iter().map(rule).collect::<Result<_, _>>()?)))
        .collect()
}

/// Returns rules that match the calls with any arguments.
pub(super) fn always(calls: &[i64]) -> SeccompRules {
    calls.iter().map(|&call| (call, Vec::new())).collect()
}

/// Code of the BPF return instruction.
pub(super) const RETURN: u16 = 0x06;

/// Creates a BPF program that returns `matched` for calls that match the rules, and `otherwise` for
/// all others.
///
/// # Errors
/// Returns an error if this processor is not supported.
pub(super) fn program(
    rules: SeccompRules,
    otherwise: SeccompAction,
    matched: SeccompAction,
) -> Result<BpfProgram, String> {
    let architecture = std::env::consts::ARCH.try_into().map_err(error_text)?;
    SeccompFilter::new(rules, otherwise, matched, architecture)
        .map_err(error_text)?
        .try_into()
        .map_err(error_text)
}

/// Sets a filter on this process, which must have one thread. Returns the result of the system
/// call.
///
/// # Errors
/// Returns an error if the system call fails.
pub(super) fn set(program: &BpfProgram, flags: libc::c_ulong) -> Result<libc::c_long, String> {
    let len = u16::try_from(program.len()).map_err(error_text)?;
    // Both types have the layout of the kernel's `struct sock_filter`.
    let program = libc::sock_fprog {
        len,
        filter: program.as_ptr().cast_mut().cast(),
    };
    // SAFETY: the kernel copies the program, which is valid during the call.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            flags,
            &raw const program,
        )
    };
    checked(answer).map_err(error_text)
}

/// Returns a filter that rejects calls of the x32 interface. An x86-64 kernel may offer the same
/// calls there under other numbers, which the lists do not contain.
pub(super) fn without_x32() -> BpfProgram {
    const FIRST: u32 = 0x4000_0000;
    let eperm = libc::SECCOMP_RET_ERRNO | libc::EPERM.cast_unsigned();
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    // Load the call number, compare it, return one of the two results.
    vec![
        step(0x20, 0, 0, 0),
        step(0x35, 0, 1, FIRST),
        step(RETURN, 0, 0, eperm),
        step(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}

/// Checks that the filters reject some calls, by making these calls, which are harmless.
///
/// # Errors
/// Returns an error if a call is not rejected.
pub(super) fn check_refused(calls: &[ProbeCall]) -> Result<(), String> {
    for (name, call, [first, second, third]) in calls {
        // SAFETY: none of them writes to memory, except to a null pointer.
        let answer = unsafe { libc::syscall(*call, *first, *second, *third) };
        if answer != -1 || io::Error::last_os_error().raw_os_error() != Some(libc::EPERM) {
            let name = name.trim_start_matches("SYS_");
            return Err(format!(
                "the system call `{name}` was not blocked in a test"
            ));
        }
    }
    Ok(())
}
