//! The system that a module finds: one that has nothing and can do nothing. Languages link calls of
//! it into every program; they succeed where that is harmless (what is written to the output goes
//! to the bot's log) and are refused everywhere else.
//!
//! Nothing here differs between machines or runs: the clock stands still, and what the system calls
//! random is always the same.

use super::caller::{FUEL_OF_BYTE, FUEL_OF_CALL, memory_mut, memory_of, outside, parts, pay};
use super::faults::Stop;
use super::memory;
use super::services::say;
use super::state::State;
use hattari_plugin::abi;
use rand::Rng;
use wasmtime::{Caller, FuncType, Linker, Result, Val, ValType};

/// The module that such calls are imported from.
const FROM: &str = "wasi_snapshot_preview1";

/// Answers of the system, as WASI numbers them.
const SUCCESS: i32 = 0;
const BAD_FILE: i32 = 8;
const NO_SUCH_CALL: i32 = 52;
const NOT_SUPPORTED: i32 = 58;
const NO_SEEKING: i32 = 70;
const NOT_CAPABLE: i32 = 76;

/// Calls that are refused: name, parameters (`i` of 32 bits, `I` of 64), answer.
const REFUSED: [(&str, &str, i32); 37] = [
    ("fd_advise", "iIIi", BAD_FILE),
    ("fd_allocate", "iII", BAD_FILE),
    ("fd_datasync", "i", BAD_FILE),
    ("fd_fdstat_set_flags", "ii", BAD_FILE),
    ("fd_fdstat_set_rights", "iII", BAD_FILE),
    ("fd_filestat_get", "ii", BAD_FILE),
    ("fd_filestat_set_size", "iI", BAD_FILE),
    ("fd_filestat_set_times", "iIIi", BAD_FILE),
    ("fd_pread", "iiiIi", BAD_FILE),
    ("fd_prestat_dir_name", "iii", BAD_FILE),
    ("fd_prestat_get", "ii", BAD_FILE),
    ("fd_pwrite", "iiiIi", BAD_FILE),
    ("fd_read", "iiii", BAD_FILE),
    ("fd_readdir", "iiiIi", BAD_FILE),
    ("fd_renumber", "ii", BAD_FILE),
    ("fd_sync", "i", BAD_FILE),
    ("fd_tell", "ii", BAD_FILE),
    ("path_create_directory", "iii", NOT_CAPABLE),
    ("path_filestat_get", "iiiii", NOT_CAPABLE),
    ("path_filestat_set_times", "iiiiIIi", NOT_CAPABLE),
    ("path_link", "iiiiiii", NOT_CAPABLE),
    ("path_open", "iiiiiIIii", NOT_CAPABLE),
    ("path_readlink", "iiiiii", NOT_CAPABLE),
    ("path_remove_directory", "iii", NOT_CAPABLE),
    ("path_rename", "iiiiii", NOT_CAPABLE),
    ("path_symlink", "iiiii", NOT_CAPABLE),
    ("path_unlink_file", "iii", NOT_CAPABLE),
    ("poll_oneoff", "iiii", NOT_SUPPORTED),
    ("proc_raise", "i", NO_SUCH_CALL),
    ("sock_accept", "iii", BAD_FILE),
    ("sock_recv", "iiiiii", BAD_FILE),
    ("sock_send", "iiiii", BAD_FILE),
    ("sock_shutdown", "ii", BAD_FILE),
    ("sched_yield", "", SUCCESS),
    ("fd_close", "i", SUCCESS),
    ("fd_seek", "iIii", NO_SEEKING),
    ("clock_res_get", "ii", NOT_SUPPORTED),
];
/// Calls that have an answer.
const ANSWERED: [&str; 9] = [
    "args_get",
    "args_sizes_get",
    "clock_time_get",
    "environ_get",
    "environ_sizes_get",
    "fd_fdstat_get",
    "fd_write",
    "proc_exit",
    "random_get",
];

/// Pieces of one `fd_write` that are looked at.
const PIECES: u32 = 64;
/// Bytes of it that are kept.
const KEPT: usize = 4096;

/// Whether there is such a call.
pub(super) fn has(from: &str, name: &str) -> bool {
    from == FROM && (ANSWERED.contains(&name) || REFUSED.iter().any(|(other, ..)| *other == name))
}

/// Adds the system's calls to a linker.
pub(super) fn add(linker: &mut Linker<State>) -> Result<()> {
    for (name, parameters, answer) in REFUSED {
        let of = |letter| {
            if letter == 'I' {
                ValType::I64
            } else {
                ValType::I32
            }
        };
        let ty = FuncType::new(linker.engine(), parameters.chars().map(of), [ValType::I32]);
        linker.func_new(FROM, name, ty, move |mut caller, _, results| {
            pay(&mut caller, FUEL_OF_CALL)?;
            results[0] = Val::I32(answer);
            Ok(())
        })?;
    }
    // No arguments, no environment: two numbers that are zero, two lists that are empty.
    for name in ["args_sizes_get", "environ_sizes_get"] {
        linker.func_wrap(
            FROM,
            name,
            |mut caller: Caller<'_, State>, count: u32, bytes: u32| -> Result<i32> {
                pay(&mut caller, FUEL_OF_CALL)?;
                put(&mut caller, count, &0_u32)?;
                put(&mut caller, bytes, &0_u32)?;
                Ok(SUCCESS)
            },
        )?;
    }
    for name in ["args_get", "environ_get"] {
        linker.func_wrap(
            FROM,
            name,
            |mut caller: Caller<'_, State>, _: u32, _: u32| -> Result<i32> {
                pay(&mut caller, FUEL_OF_CALL)?;
                Ok(SUCCESS)
            },
        )?;
    }
    linker.func_wrap(
        FROM,
        "clock_time_get",
        |mut caller: Caller<'_, State>, _: u32, _: u64, time: u32| -> Result<i32> {
            pay(&mut caller, FUEL_OF_CALL)?;
            put(&mut caller, time, &0_u64)?;
            Ok(SUCCESS)
        },
    )?;
    linker.func_wrap(
        FROM,
        "fd_fdstat_get",
        |mut caller: Caller<'_, State>, file: u32, stat: u32| -> Result<i32> {
            pay(&mut caller, FUEL_OF_CALL)?;
            if !is_output(file) {
                return Ok(BAD_FILE);
            }
            // A device for letters, which cannot be sought in.
            put(&mut caller, stat, &[2_u64, 0, 0])?;
            Ok(SUCCESS)
        },
    )?;
    linker.func_wrap(FROM, "fd_write", write)?;
    linker.func_wrap(
        FROM,
        "proc_exit",
        |_: Caller<'_, State>, code: u32| -> Result<()> {
            Err(wasmtime::Error::new(Stop::Exit(code)))
        },
    )?;
    linker.func_wrap(
        FROM,
        "random_get",
        |mut caller: Caller<'_, State>, at: u32, count: u32| -> Result<i32> {
            pay(&mut caller, FUEL_OF_CALL + FUEL_OF_BYTE * u64::from(count))?;
            let (memory, state) = parts(&mut caller)?;
            let room =
                memory::bytes_mut(memory, at, count.into()).map_err(outside("random_get"))?;
            state.services.system_chance.fill_bytes(room);
            Ok(SUCCESS)
        },
    )?;
    Ok(())
}

fn is_output(file: u32) -> bool {
    file == 1 || file == 2
}

fn put<T: bytemuck::Pod>(caller: &mut Caller<'_, State>, at: u32, value: &T) -> Result<()> {
    memory::write(memory_mut(caller)?, at, value).map_err(outside("the system"))
}

/// Takes what is written to the output for a message to whoever writes the bot.
fn write(
    mut caller: Caller<'_, State>,
    file: u32,
    pieces: u32,
    count: u32,
    written: u32,
) -> Result<i32> {
    pay(&mut caller, FUEL_OF_CALL * (1 + u64::from(count)))?;
    if !is_output(file) {
        return Ok(BAD_FILE);
    }
    let whole = memory_of(&mut caller)?;
    let piece = |number| memory::read(whole, pieces.wrapping_add(8 * number));
    let list: std::result::Result<Vec<[u32; 2]>, _> = (0..count.min(PIECES)).map(piece).collect();
    let list = list.map_err(outside("fd_write"))?;
    let bytes = list
        .iter()
        .fold(0_u32, |sum, [_, length]| sum.saturating_add(*length));
    pay(
        &mut caller,
        FUEL_OF_BYTE * u64::from(bytes).min(KEPT as u64),
    )?;
    let whole = memory_of(&mut caller)?;
    let mut text = Vec::new();
    for [at, length] in list {
        let piece = memory::bytes(whole, at, length.into()).map_err(outside("fd_write"))?;
        text.extend_from_slice(&piece[..piece.len().min(KEPT - text.len())]);
    }
    put(&mut caller, written, &bytes)?;
    let text = String::from_utf8_lossy(&text);
    if !text.trim().is_empty() {
        say(&mut caller, abi::LOG_DEBUG, text.trim_end());
    }
    Ok(SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_there_once() {
        let mut names: Vec<&str> = REFUSED
            .iter()
            .map(|(name, ..)| *name)
            .chain(ANSWERED)
            .collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        let engine = wasmtime::Engine::default();
        let mut linker = Linker::new(&engine);
        add(&mut linker).unwrap();
        assert_eq!(names.iter().filter(|name| has(FROM, name)).count(), count);
        assert!(!has(FROM, "fd_hack") && !has("env", "fd_write"));
    }
}
