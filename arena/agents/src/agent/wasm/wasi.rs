//! WASI functions for modules. Compilers add imports of some of these functions to every program.
//! Harmless functions succeed (output goes to the bot's log); all others fail.
//!
//! Results do not depend on the machine or the run: the clock always returns 0, and random data is
//! always the same.

use super::faults::CallStop;
use super::memory;
use super::module::ModuleProblem;
use super::state::{
    self, FUEL_OF_BYTE, FUEL_OF_CALL, WasmCaller, WasmState, memory_and_state, memory_of,
    out_of_bounds, pay,
};
use crate::text::escape_line;
use hattari_plugin::abi;
use rand::Rng;
use wasmtime::{ExternType, Linker, Result, Val};

/// Module from which WASI functions are imported.
const FROM: &str = "wasi_snapshot_preview1";

/// WASI result of a call that succeeds.
const SUCCESS: i32 = 0;
/// WASI error `badf`: bad file descriptor.
const BAD_FILE: i32 = 8;
/// WASI error `notsup`: operation not supported.
const NOT_SUPPORTED: i32 = 58;
/// WASI error `spipe`: invalid seek.
const NO_SEEKING: i32 = 70;
/// WASI error `notcapable`: capabilities insufficient.
const NOT_CAPABLE: i32 = 76;

/// Maximum number of buffers of one `fd_write` that are logged.
const PIECES: u32 = 64;
/// Maximum number of bytes of one `fd_write` that are logged.
const KEPT: usize = 4096;

/// Adds the WASI functions that a module imports to a linker.
///
/// # Errors
/// Returns an error if the module imports anything else.
pub(super) fn add(
    linker: &mut Linker<WasmState>,
    module: &wasmtime::Module,
) -> std::result::Result<(), ModuleProblem> {
    for import in module.imports() {
        let (from, name) = (import.module(), import.name());
        let ty = match import.ty() {
            ExternType::Func(ty)
                if from == FROM
                    && ty.results().len() <= 1
                    && ty.results().all(|ty| ty.is_i32()) =>
            {
                ty
            }
            _ => {
                return Err(ModuleProblem::new(
                    format!(
                        "it imports `{}` from `{}`, which this host does not provide",
                        escape_line(name),
                        escape_line(from)
                    ),
                    "a bot can call the host only through hattari_host; remove the code that needs this import",
                ));
            }
        };
        let answer = constant_answer(name);
        linker
            .func_new(FROM, name, ty, move |mut caller, _, results| {
                pay(&mut caller, FUEL_OF_CALL)?;
                if let Some(result) = results.first_mut() {
                    *result = Val::I32(answer);
                }
                Ok(())
            })
            .map_err(ModuleProblem::broken)?;
    }
    // The functions added now replace some of those that return constants.
    linker.allow_shadowing(true);
    add_answered(linker).map_err(ModuleProblem::broken)
}

/// Returns the result of a WASI function that only returns a constant.
fn constant_answer(name: &str) -> i32 {
    match name {
        // There are no arguments and no environment.
        "args_get" | "environ_get" | "sched_yield" | "fd_close" => SUCCESS,
        "fd_seek" => NO_SEEKING,
        _ if name.starts_with("path_") => NOT_CAPABLE,
        _ if name.starts_with("fd_") || name.starts_with("sock_") => BAD_FILE,
        _ => NOT_SUPPORTED,
    }
}

/// Adds the WASI functions that do more than return a constant.
fn add_answered(linker: &mut Linker<WasmState>) -> Result<()> {
    // Number and total size of arguments or environment variables are zero.
    for name in ["args_sizes_get", "environ_sizes_get"] {
        linker.func_wrap(
            FROM,
            name,
            |mut caller: WasmCaller<'_>, count: u32, bytes: u32| {
                pay(&mut caller, FUEL_OF_CALL)?;
                put(&mut caller, count, &0_u32)?;
                put(&mut caller, bytes, &0_u32)
            },
        )?;
    }
    linker
        .func_wrap(
            FROM,
            "clock_time_get",
            |mut caller: WasmCaller<'_>, _: u32, _: u64, time: u32| {
                pay(&mut caller, FUEL_OF_CALL)?;
                put(&mut caller, time, &0_u64)
            },
        )?
        .func_wrap(
            FROM,
            "fd_fdstat_get",
            |mut caller: WasmCaller<'_>, file: u32, stat: u32| {
                pay(&mut caller, FUEL_OF_CALL)?;
                if !is_output(file) {
                    return Ok(BAD_FILE);
                }
                // A character device, which does not support seeking.
                put(&mut caller, stat, &[2_u64, 0, 0])
            },
        )?
        .func_wrap(FROM, "fd_write", write)?
        .func_wrap(
            FROM,
            "proc_exit",
            |_: WasmCaller<'_>, code: u32| -> Result<()> {
                Err(wasmtime::Error::new(CallStop::Exit(code)))
            },
        )?
        .func_wrap(
            FROM,
            "random_get",
            |mut caller: WasmCaller<'_>, at: u32, count: u32| -> Result<i32> {
                pay(&mut caller, FUEL_OF_CALL + FUEL_OF_BYTE * u64::from(count))?;
                let (memory, state) = memory_and_state(&mut caller)?;
                let room = memory::bytes_mut(memory, at, count.into())
                    .map_err(out_of_bounds("random_get"))?;
                state.system_chance.fill_bytes(room);
                Ok(SUCCESS)
            },
        )?;
    Ok(())
}

fn is_output(file: u32) -> bool {
    file == 1 || file == 2
}

fn put<T: bytemuck::Pod>(caller: &mut WasmCaller<'_>, at: u32, value: &T) -> Result<i32> {
    state::write(caller, "the system", at, bytemuck::bytes_of(value))?;
    Ok(SUCCESS)
}

/// Writes output of the bot to its log.
fn write(
    mut caller: WasmCaller<'_>,
    file: u32,
    pieces: u32,
    count: u32,
    written: u32,
) -> Result<i32> {
    pay(&mut caller, FUEL_OF_CALL * (1 + u64::from(count)))?;
    if !is_output(file) {
        return Ok(BAD_FILE);
    }
    let outside = out_of_bounds("fd_write");
    let whole = memory_of(&mut caller)?;
    let piece = |number| memory::read(whole, pieces.wrapping_add(8 * number)).map_err(&outside);
    let list: Vec<[u32; 2]> = (0..count.min(PIECES)).map(piece).collect::<Result<_>>()?;
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
        let piece = memory::bytes(whole, at, length.into()).map_err(&outside)?;
        text.extend_from_slice(&piece[..piece.len().min(KEPT - text.len())]);
    }
    put(&mut caller, written, &bytes)?;
    let text = String::from_utf8_lossy(&text);
    if !text.trim().is_empty() {
        let instance = &mut caller.data_mut().instance;
        instance.log(abi::LOG_DEBUG, text.trim_end());
    }
    Ok(SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsupported_wasi_calls_return_the_error_code_of_their_kind() {
        for (name, answer) in [
            ("path_open", NOT_CAPABLE),
            ("fd_read", BAD_FILE),
            ("fd_seek", NO_SEEKING),
            ("sock_send", BAD_FILE),
            ("fd_close", SUCCESS),
            ("poll_oneoff", NOT_SUPPORTED),
        ] {
            assert_eq!(constant_answer(name), answer, "{name}");
        }
    }

    #[test]
    fn only_wasi_imports_are_linked() {
        // One function type without parameters and results, and one import of this type.
        let module = |from: &str, name: &str| {
            let mut import = vec![1];
            for text in [from, name] {
                import.push(u8::try_from(text.len()).unwrap());
                import.extend(text.bytes());
            }
            import.extend([0, 0]);
            let mut bytes = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02".to_vec();
            bytes.push(u8::try_from(import.len()).unwrap());
            bytes.extend(import);
            bytes
        };
        let engine = wasmtime::Engine::default();
        let add_to = |from: &str, name: &str| {
            let module = wasmtime::Module::new(&engine, module(from, name)).unwrap();
            add(&mut Linker::new(&engine), &module).map_err(|wrong| wrong.cause)
        };
        assert_eq!(add_to(FROM, "path_open"), Ok(()));
        assert_eq!(
            add_to("env", "fd_write"),
            Err("it imports `fd_write` from `env`, which this host does not provide".to_owned())
        );
    }
}
