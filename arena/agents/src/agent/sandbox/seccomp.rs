//! Filters of calls of the system, made and set upon this process.

#![expect(
    unsafe_code,
    reason = "filters, and calls that must fail, which libraries do not offer"
)]

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, sock_filter,
};
use std::collections::BTreeMap;
use std::io;

/// Lists the numbers of calls of the system.
macro_rules! calls {
    ($($(#[$attribute:meta])? $call:ident)*) => {
        &[$($(#[$attribute])? libc::$call),*]
    };
}
pub(super) use calls;

/// The newer way to start threads hides its flags from filters. Told that there is none, libraries
/// use the older one.
pub(super) const HIDDEN: &[i64] = calls![SYS_clone3];

/// Ways in which calls match, by their numbers; a call without ways matches always.
pub(super) type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// A condition for an argument of a call: its place, its size, how it is compared, and with what.
pub(super) type Condition = (u8, SeccompCmpArgLen, SeccompCmpOp, u64);
/// A call, and the ways in which it matches. In a way all conditions hold.
pub(super) type Call = (i64, Vec<Vec<Condition>>);

/// Returns the rules of calls that match in some ways.
///
/// # Errors
/// There are no such arguments.
pub(super) fn rules(calls: Vec<Call>) -> Result<Rules, String> {
    let rule = |way: Vec<Condition>| {
        let conditions = way.into_iter().map(|(argument, size, operator, value)| {
            SeccompCondition::new(argument, size, operator, value)
        });
        SeccompRule::new(conditions.collect::<Result<_, _>>().map_err(text)?).map_err(text)
    };
    let calls = calls.into_iter();
    let rules =
        calls.map(|(call, ways)| Ok((call, ways.into_iter().map(rule).collect::<Result<_, _>>()?)));
    rules.collect()
}

/// Returns the rules of calls that match always.
pub(super) fn always(calls: &[i64]) -> Rules {
    calls.iter().map(|&call| (call, Vec::new())).collect()
}

/// Code of the instruction that answers.
pub(super) const RETURN: u16 = 0x06;

/// A program of the kernel's machine that answers `matched` to the calls of the rules, and
/// `otherwise` to all others.
///
/// # Errors
/// There are no such programs for this processor.
pub(super) fn program(
    rules: Rules,
    otherwise: SeccompAction,
    matched: SeccompAction,
) -> Result<BpfProgram, String> {
    let architecture = std::env::consts::ARCH.try_into().map_err(text)?;
    let filter = SeccompFilter::new(rules, otherwise, matched, architecture).map_err(text)?;
    filter.try_into().map_err(text)
}

/// Sets a filter upon this process, which has one thread; what the kernel answers.
///
/// # Errors
/// The kernel refuses.
pub(super) fn set(program: &BpfProgram, flags: libc::c_ulong) -> Result<libc::c_long, String> {
    let len = u16::try_from(program.len()).map_err(text)?;
    // Both types are the kernel's `struct sock_filter`.
    let program = libc::sock_fprog {
        len,
        filter: program.as_ptr().cast_mut().cast(),
    };
    // SAFETY: the kernel copies the program, which lives through the call, and changes nothing of
    // it.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            flags,
            &raw const program,
        )
    };
    if answer < 0 {
        Err(io::Error::last_os_error().to_string())
    } else {
        Ok(answer)
    }
}

/// Refuses the calls of the other interface that a kernel for x86-64 may have: the same calls under
/// other numbers, which no list names.
pub(super) fn without_x32() -> BpfProgram {
    const FIRST: u32 = 0x4000_0000;
    let eperm = libc::SECCOMP_RET_ERRNO | libc::EPERM.cast_unsigned();
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    // The number of the call; whether it is that or more; the two answers.
    vec![
        step(0x20, 0, 0, 0),
        step(0x35, 0, 1, FIRST),
        step(RETURN, 0, 0, eperm),
        step(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}

/// Makes these calls, which do no harm, and sees that each is refused.
///
/// # Errors
/// One is not.
pub(super) fn refused<const N: usize>(
    calls: &[(&str, libc::c_long, [libc::c_long; N])],
) -> Result<(), String> {
    for (name, call, arguments) in calls {
        let argument = |number: usize| arguments.get(number).copied().unwrap_or(0);
        // SAFETY: none of them writes to memory but at the null that it is given.
        let answer = unsafe { libc::syscall(*call, argument(0), argument(1), argument(2)) };
        if answer != -1 || io::Error::last_os_error().raw_os_error() != Some(libc::EPERM) {
            return Err(format!("a try of `{name}` was not refused"));
        }
    }
    Ok(())
}

pub(super) fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
