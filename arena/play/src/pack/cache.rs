//! The cache of unpacked packs, in the user's cache folder, by digest. Existing files are used only
//! if they are complete and writable by this user only; otherwise they are replaced.

use super::PackError;
use super::archive::PackContents;
use hattari_agents::user_dirs;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Unpacks a pack unless the cache contains it. Returns the folder with its files. `pack` is the
/// path of the archive.
///
/// # Errors
/// Returns an error if there is no cache folder, or if it cannot be written.
pub(super) fn unpack(contents: &PackContents, pack: &Path) -> Result<PathBuf, PackError> {
    const REMEDY: &str = "set XDG_CACHE_HOME to a folder that only you can write to";
    let folder = user_dirs::cache("packs");
    let folder = folder.ok_or_else(|| {
        PackError::new(pack, "there is no cache folder to unpack it into", REMEDY)
    })?;
    let fail = |error: io::Error| {
        PackError::new(
            pack,
            format!("cannot unpack it into {}: {error}", folder.display()),
            REMEDY,
        )
    };
    user_dirs::make_folder(&folder, 0o700).map_err(fail)?;
    if !user_dirs::is_own(&fs::symlink_metadata(&folder).map_err(fail)?) {
        return Err(fail(io::Error::other("other users can write to it")));
    }
    let target = folder.join(&contents.digest);
    if contains_pack(&target, contents) {
        return Ok(target);
    }
    let unfinished = tempfile::Builder::new()
        .prefix(".unfinished-")
        .permissions(fs::Permissions::from_mode(0o755))
        .tempdir_in(&folder)
        .map_err(fail)?;
    write(unfinished.path(), contents).map_err(fail)?;
    // Another process may have unpacked the same pack in the meantime, and use it.
    if contains_pack(&target, contents) {
        return Ok(target);
    }
    if fs::symlink_metadata(&target).is_ok() {
        fs::remove_dir_all(&target).map_err(fail)?;
    }
    match fs::rename(unfinished.path(), &target) {
        Ok(()) => _ = unfinished.keep(),
        Err(_) if contains_pack(&target, contents) => {}
        Err(error) => return Err(fail(error)),
    }
    Ok(target)
}

/// Returns the paths and contents of a pack's files.
fn files<'c>(
    target: &'c Path,
    contents: &'c PackContents,
) -> impl Iterator<Item = (PathBuf, &'c [u8])> {
    contents
        .manifest
        .files
        .iter()
        .map(|file| target.join(&file.path))
        .zip(contents.files.iter().map(Vec::as_slice))
}

/// Returns `true` if a folder contains all files of a pack unchanged, and only this user can write
/// to them.
fn contains_pack(target: &Path, contents: &PackContents) -> bool {
    let is_own =
        |path: &Path| fs::symlink_metadata(path).is_ok_and(|metadata| user_dirs::is_own(&metadata));
    files(target, contents).all(|(path, bytes)| {
        let is_ours = path
            .ancestors()
            .skip(1)
            .take_while(|folder| folder.starts_with(target))
            .into_iter()
            .all(is_own)
            && is_own(&path);
        is_ours && fs::read(&path).is_ok_and(|content| content == bytes)
    })
}

fn write(target: &Path, contents: &PackContents) -> io::Result<()> {
    for (path, bytes) in files(target, contents) {
        // The sandbox of a bot that root starts reads the files as the user `nobody`.
        user_dirs::make_folder(path.parent().unwrap_or(target), 0o755)?;
        user_dirs::new_file().open(path)?.write_all(bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::listed;
    use super::*;

    fn contents() -> PackContents {
        let (manifest, files) = listed(&[("a/b.lua", "one")]);
        PackContents {
            manifest,
            files,
            digest: "d".into(),
        }
    }

    #[test]
    fn only_complete_cached_files_are_used() {
        let (folder, contents) = (tempfile::tempdir().unwrap(), contents());
        assert!(!contains_pack(folder.path(), &contents));
        write(folder.path(), &contents).unwrap();
        assert!(contains_pack(folder.path(), &contents));
        fs::write(folder.path().join("a/b.lua"), "two").unwrap();
        assert!(!contains_pack(folder.path(), &contents));
    }

    #[test]
    fn files_that_others_can_write_are_not_used() {
        use std::os::unix::fs::symlink;
        let (folder, contents) = (tempfile::tempdir().unwrap(), contents());
        write(folder.path(), &contents).unwrap();
        let open_up = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap()
        };
        for (name, mode, is_used) in [
            ("a", 0o702, false),
            ("a", 0o700, true),
            ("a/b.lua", 0o620, false),
            ("a/b.lua", 0o600, true),
            ("", 0o770, false),
            ("", 0o700, true),
        ] {
            open_up(&folder.path().join(name), mode);
            assert_eq!(contains_pack(folder.path(), &contents), is_used, "{name}");
        }
        fs::rename(folder.path().join("a"), folder.path().join("z")).unwrap();
        symlink("z", folder.path().join("a")).unwrap();
        assert!(!contains_pack(folder.path(), &contents));
    }
}
