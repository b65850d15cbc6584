//! A cache of compiled modules in the user's cache folder. The key is a digest of the module, so
//! that a module is compiled only once per machine.
//!
//! The engine runs cached code without checks. Code is therefore read only if its folder and its
//! file belong to this user and nobody else may write to them. The file begins with a digest of
//! code, module and compiler, which must match. A signature would not help: anyone who can write
//! there as this user can also read the key and change this program. The engine's own cache has
//! neither check, and needs a compressor, a background thread and a settings file.

#![expect(
    unsafe_code,
    reason = "the engine loads compiled code without checking it"
)]

use super::compile::{self, CODE};
use super::limits::WasmLimits;
use super::module::{ModuleProblem, one_line};
use crate::files;
use crate::user_dirs;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::SystemTime;
use wasmtime::{Engine, Module};

/// First bytes of a cache file, including the version of its format.
const MAGIC: &[u8; 16] = b"hattari wasm 1\r\n";
/// Size of a digest in bytes.
const DIGEST: usize = 32;
/// Maximum number of cached modules.
const MODULES: usize = 256;

/// Returns the compiled module for `bytes` from the cache. If the cache does not contain it,
/// compiles the module and adds it. `name` is the name of the module's file.
///
/// # Errors
/// Returns an error if the module does not compile.
pub(super) fn module(engine: &Engine, name: &str, bytes: &[u8]) -> Result<Module, ModuleProblem> {
    let Some(folder) = user_dirs::cache("wasm") else {
        return compiled(engine, &compile::compile(name, bytes)?);
    };
    let source = source_digest(engine, bytes);
    let name_in_cache: String = source.iter().map(|byte| format!("{byte:02x}")).collect();
    let path = folder.join(name_in_cache + ".code");
    if let Some(code) = read_code(&folder, &path, &source) {
        // SAFETY: the digest shows that this program wrote the code, and no other user could write
        // the file (see the module documentation). The engine checks its own version and the
        // processor.
        if let Ok(module) = unsafe { Module::deserialize(engine, &code) } {
            return Ok(module);
        }
    }
    let code = compile::compile(name, bytes)?;
    // Without the cache the module is compiled again next time.
    if let Err(error) = write_code(&folder, &path, &source, &code) {
        tracing::debug!(target: "hattari::wasm", "{}: {error}", path.display());
    }
    compiled(engine, &code)
}

/// Creates a module from code that has just been compiled.
fn compiled(engine: &Engine, code: &[u8]) -> Result<Module, ModuleProblem> {
    // SAFETY: a child process that runs this program compiled the code.
    let module = unsafe { Module::deserialize(engine, code) };
    module.map_err(|error| {
        ModuleProblem::new(
            one_line(&error),
            format!(
                "give it a table of at most {} entries, or start Hattari again: its file may have \
                been replaced",
                WasmLimits::TABLE
            ),
        )
    })
}

/// Returns the digest of the module and the compiler's version and settings.
fn source_digest(engine: &Engine, bytes: &[u8]) -> [u8; DIGEST] {
    Sha256::new()
        .chain_update(compile::settings_hash(engine).to_le_bytes())
        .chain_update(bytes)
        .finalize()
        .into()
}

/// Returns the digest of the code and of `source`, the digest of its module.
fn file_digest(source: &[u8; DIGEST], code: &[u8]) -> [u8; DIGEST] {
    Sha256::new()
        .chain_update(MAGIC)
        .chain_update(source)
        .chain_update(code)
        .finalize()
        .into()
}

/// Reads the code of a module. Returns `None` if the file is incomplete or if another user could
/// have written it.
fn read_code(folder: &Path, path: &Path, source: &[u8; DIGEST]) -> Option<Vec<u8>> {
    if !user_dirs::is_own(&fs::symlink_metadata(folder).ok()?) {
        return None;
    }
    let (file, size) = files::open(path).ok()?;
    if !user_dirs::is_own(&file.metadata().ok()?) || CODE < size {
        return None;
    }
    let mut all = Vec::new();
    file.take(CODE).read_to_end(&mut all).ok()?;
    let (magic, rest) = all.split_first_chunk()?;
    let (digest, code) = rest.split_first_chunk()?;
    (magic == MAGIC && *digest == file_digest(source, code)).then(|| code.to_vec())
}

/// Writes the code of a module to a temporary file and moves it to `path`.
fn write_code(folder: &Path, path: &Path, source: &[u8; DIGEST], code: &[u8]) -> io::Result<()> {
    user_dirs::make_folder(folder, 0o700)?;
    if !user_dirs::is_own(&fs::symlink_metadata(folder)?) {
        return Err(io::Error::other("other users can write to the folder"));
    }
    // Only the user may read and write the file, which is deleted if an error follows.
    let mut file = tempfile::Builder::new()
        .suffix(".new")
        .tempfile_in(folder)?;
    file.write_all(MAGIC)?;
    file.write_all(&file_digest(source, code))?;
    file.write_all(code)?;
    file.persist(path)?;
    forget_oldest(folder)
}

/// Deletes the oldest files if the folder contains more than `MODULES`.
fn forget_oldest(folder: &Path) -> io::Result<()> {
    let mut files: Vec<_> = fs::read_dir(folder)?
        .flatten()
        .map(|entry| {
            let written = entry
                .metadata()
                .and_then(|about| about.modified())
                .unwrap_or(SystemTime::UNIX_EPOCH);
            (written, entry.path())
        })
        .collect();
    files.sort();
    for (_, old) in &files[..files.len().saturating_sub(MODULES)] {
        _ = fs::remove_file(old);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    const SOURCE: [u8; DIGEST] = [7; DIGEST];

    /// A cache in a temporary folder, and the path of a file in it.
    struct Cache {
        _root: tempfile::TempDir,
        folder: PathBuf,
        path: PathBuf,
    }

    impl Cache {
        fn new() -> Cache {
            let root = tempfile::tempdir().unwrap();
            let folder = root.path().join("cache");
            Cache {
                _root: root,
                path: folder.join("a.code"),
                folder,
            }
        }

        fn read(&self) -> Option<Vec<u8>> {
            read_code(&self.folder, &self.path, &SOURCE)
        }

        fn write(&self) -> io::Result<()> {
            write_code(&self.folder, &self.path, &SOURCE, b"some code")
        }

        #[track_caller]
        fn is_complete(&self) {
            assert_eq!(self.read().unwrap(), b"some code");
        }
    }

    #[test]
    fn damaged_or_truncated_cached_code_is_rejected() {
        let cache = Cache::new();
        assert_eq!(cache.read(), None);
        cache.write().unwrap();
        cache.is_complete();
        let other = read_code(&cache.folder, &cache.path, &[8; DIGEST]);
        assert_eq!(other, None, "it is another module's");
        let whole = fs::read(&cache.path).unwrap();
        for at in [0, 20, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&cache.path, &damaged).unwrap();
            assert_eq!(cache.read(), None, "byte {at} is another");
        }
        fs::write(&cache.path, &whole[..whole.len() - 1]).unwrap();
        assert_eq!(cache.read(), None, "it is truncated");
        fs::write(&cache.path, &whole).unwrap();
        cache.is_complete();
    }

    #[test]
    fn a_pipe_instead_of_code_is_rejected_without_blocking() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let cache = Cache::new();
        user_dirs::make_folder(&cache.folder, 0o700).unwrap();
        mknodat(CWD, &cache.path, FileType::Fifo, Mode::RWXU, 0).unwrap();
        assert_eq!(cache.read(), None);
        cache.write().unwrap();
        cache.is_complete();
    }

    #[test]
    fn cached_code_that_other_users_can_write_is_rejected() {
        use std::os::unix::fs::PermissionsExt;
        let cache = Cache::new();
        cache.write().unwrap();
        let open_up = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap()
        };
        open_up(&cache.path, 0o620);
        assert_eq!(cache.read(), None);
        open_up(&cache.path, 0o600);
        open_up(&cache.folder, 0o702);
        assert!(cache.read().is_none() && cache.write().is_err());
        open_up(&cache.folder, 0o700);
        cache.is_complete();
    }

    #[test]
    fn the_oldest_cached_modules_are_deleted_above_the_limit() {
        let cache = Cache::new();
        for number in 0..MODULES + 3 {
            let path = cache.folder.join(format!("{number}.code"));
            write_code(&cache.folder, &path, &SOURCE, b"code").unwrap();
        }
        assert_eq!(fs::read_dir(&cache.folder).unwrap().count(), MODULES);
    }
}
