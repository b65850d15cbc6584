//! Reads and writes the archives of packs. A pack may come from an untrusted source. Content that
//! differs from the pack's file list is refused, and no more bytes are read than the list allows.

use super::{COUNT_MAX, FILES_MAX, FORMAT, Manifest, PACK_MAX, PackError, PackedFile, sha256};
use flate2::bufread::GzDecoder;
use flate2::{Compression, GzBuilder};
use hattari_agents::text::{error_text, escape_line, grouped};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Take};
use std::path::Path;
use tar::{Archive, Builder, EntryType, Header};

/// Name of the file list in the archive.
const LIST: &str = "hattari.json";
/// Folder of all other files.
const FILES: &str = "files/";
/// Maximum size of the file list in bytes.
const LIST_MAX: u64 = 8 << 20;
/// Maximum number of bytes in an archive besides its files: file list, headers and padding.
const OVERHEAD_MAX: u64 = LIST_MAX + (COUNT_MAX as u64 + 64) * 1024;
/// Maximum length of a path in bytes. A path of this length always fits into a header without
/// extensions.
const PATH_MAX: usize = 150;

const DAMAGED: &str = "use an undamaged copy, or pack the league again";
const FOREIGN: &str = "`hattari cluster pack` does not write such packs: do not use this pack \
    unless you trust its source";

/// A pack whose digests have been verified.
pub(super) struct PackContents {
    pub manifest: Manifest,
    /// Contents of the files, in the order of the list.
    pub files: Vec<Vec<u8>>,
    /// SHA-256 of the pack.
    pub digest: String,
}

/// The reason a pack is refused, without the path of the pack, and the remedy.
type PackProblem = (String, &'static str);

/// Returns the problem of a pack that cannot be read to its end.
fn damaged(error: io::Error) -> PackProblem {
    (
        format!("the pack is damaged or incomplete ({error})"),
        DAMAGED,
    )
}

/// Returns the bytes of a pack; `files` are in the order of the list.
///
/// # Errors
/// Returns an error if a pack cannot contain a path of the list, or if a limit is exceeded.
pub(super) fn write(manifest: &Manifest, files: &[Vec<u8>]) -> Result<Vec<u8>, String> {
    check(manifest).map_err(|(what, _)| what)?;
    let list = serde_json::to_vec_pretty(manifest).map_err(error_text)?;
    let gzip = GzBuilder::new()
        .mtime(0)
        .write(Vec::new(), Compression::best());
    let mut archive = Builder::new(gzip);
    let mut add = |path: &str, bytes: &[u8]| {
        let mut header = Header::new_ustar();
        header.set_path(path)?;
        header.set_size(bytes.len() as u64);
        header.set_entry_type(EntryType::Regular);
        // Omit owner and time, which are private and would change the bytes.
        header.set_mode(0o644);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        header.set_cksum();
        archive.append(&header, bytes)
    };
    let mut write = || {
        add(LIST, &list)?;
        manifest
            .files
            .iter()
            .zip(files)
            .try_for_each(|(file, bytes)| add(&format!("{FILES}{}", file.path), bytes))
    };
    write().map_err(|error: io::Error| error.to_string())?;
    let bytes = archive
        .into_inner()
        .and_then(flate2::write::GzEncoder::finish)
        .map_err(error_text)?;
    if bytes.len() as u64 > PACK_MAX {
        let size = grouped(bytes.len() as u64);
        return Err(format!(
            "the pack would have {size} bytes, which is too large"
        ));
    }
    Ok(bytes)
}

/// Reads the pack at `path`.
///
/// # Errors
/// Returns an error if the file cannot be read, is not a pack, is damaged, or has disallowed
/// content.
pub(super) fn read(path: &Path) -> Result<PackContents, PackError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(PACK_MAX + 1).read_to_end(&mut bytes))
        .map_err(|error| {
            PackError::new(
                path,
                format!("cannot be read: {error}"),
                "give an existing pack",
            )
        })?;
    let contents = if bytes.len() as u64 > PACK_MAX {
        let most = grouped(PACK_MAX);
        Err((
            format!("the file has more than {most} bytes, the maximum for a pack"),
            FOREIGN,
        ))
    } else {
        unpack(&bytes)
    };
    contents.map_err(|(what, remedy)| PackError::new(path, what, remedy))
}

fn unpack(bytes: &[u8]) -> Result<PackContents, PackProblem> {
    let mut archive = Archive::new(GzDecoder::new(bytes).take(FILES_MAX + OVERHEAD_MAX));
    // Read raw entries: extension headers are not applied, and are refused as unexpected entries.
    let mut entries = archive.entries().map_err(damaged)?.raw(true);
    let first = entries.next().transpose().map_err(damaged)?;
    let list = first
        .filter(|entry| *entry.path_bytes() == *LIST.as_bytes() && is_plain(entry))
        .ok_or_else(|| {
            (
                format!("the file is not a pack: it does not begin with `{LIST}`"),
                "give a pack",
            )
        })?;
    if list.size() > LIST_MAX {
        let size = grouped(list.size());
        return Err((
            format!("the file list has {size} bytes, which is too large"),
            FOREIGN,
        ));
    }
    let mut text = Vec::new();
    list.take(LIST_MAX)
        .read_to_end(&mut text)
        .map_err(damaged)?;
    let manifest = manifest(&text)?;
    let mut files = Vec::with_capacity(manifest.files.len());
    for item in &manifest.files {
        let entry = entries
            .next()
            .ok_or_else(|| {
                (
                    format!("`{}` is in the file list but not in the pack", item.path),
                    DAMAGED,
                )
            })?
            .map_err(damaged)?;
        files.push(content(entry, item, &manifest.files[..files.len()])?);
    }
    if let Some(entry) = entries.next() {
        return Err(describe_unexpected_entry(
            &entry.map_err(damaged)?,
            &manifest.files,
        ));
    }
    // Read to the end of the compressed data, because only this verifies the checksum.
    let mut rest = archive.into_inner();
    let mut tail = Vec::new();
    rest.read_to_end(&mut tail).map_err(damaged)?;
    if tail.iter().any(|&byte| byte != 0) || !rest.into_inner().into_inner().is_empty() {
        return Err((
            "there is data after the end of the pack".to_owned(),
            FOREIGN,
        ));
    }
    Ok(PackContents {
        manifest,
        files,
        digest: sha256(bytes),
    })
}

type ArchiveEntry<'a, 'b> = tar::Entry<'a, Take<GzDecoder<&'b [u8]>>>;

/// Returns the content of an entry, which must be the file `item`. `earlier` contains the earlier
/// files of the pack.
fn content(
    mut entry: ArchiveEntry<'_, '_>,
    item: &PackedFile,
    earlier: &[PackedFile],
) -> Result<Vec<u8>, PackProblem> {
    if *entry.path_bytes() != *format!("{FILES}{}", item.path).as_bytes() || !is_plain(&entry) {
        return Err(describe_unexpected_entry(&entry, earlier));
    }
    if entry.size() != item.size {
        let (size, listed) = (grouped(entry.size()), grouped(item.size));
        let path = &item.path;
        return Err((
            format!("`{path}` has {size} bytes, but the file list says {listed}"),
            DAMAGED,
        ));
    }
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes).map_err(damaged)?;
    let digest = sha256(&bytes);
    if bytes.len() as u64 != item.size || digest != item.sha256 {
        let listed = &item.sha256;
        return Err((
            format!(
                "`{}` differs from the packed file: its SHA-256 is {digest}, but the file list says \
            {listed}",
                item.path
            ),
            DAMAGED,
        ));
    }
    Ok(bytes)
}

/// Describes an unexpected entry. `earlier` contains the earlier files of the pack.
fn describe_unexpected_entry(entry: &ArchiveEntry<'_, '_>, earlier: &[PackedFile]) -> PackProblem {
    let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
    let shown = escape_line(&name).into_owned();
    let path = name.strip_prefix(FILES).unwrap_or(&name);
    let what = match entry.header().entry_type() {
        EntryType::Symlink | EntryType::Link => format!("`{shown}` is a link"),
        kind if !kind.is_file() => format!("`{shown}` is not a regular file"),
        _ => match check_path(path) {
            Err(reason) => reason,
            Ok(()) if earlier.iter().any(|file| file.path == path) => {
                format!("`{shown}` occurs twice")
            }
            Ok(()) => format!("`{shown}` is not in the file list at this position"),
        },
    };
    (what, FOREIGN)
}

fn is_plain(entry: &ArchiveEntry<'_, '_>) -> bool {
    entry.header().entry_type().is_file()
}

/// Parses and checks the file list of a pack.
fn manifest(text: &[u8]) -> Result<Manifest, PackProblem> {
    /// The fields that the file list has in every format.
    #[derive(serde::Deserialize)]
    struct Format {
        format: u32,
        hattari: String,
    }
    let broken = |error: serde_json::Error| {
        (
            format!("cannot read the file list `{LIST}`: {error}"),
            DAMAGED,
        )
    };
    let Format { format, hattari } = serde_json::from_slice(text).map_err(broken)?;
    if format != FORMAT {
        return Err((
            format!(
                "the pack has format {format}, written by hattari {}; this Hattari reads format \
            {FORMAT}",
                escape_line(&hattari)
            ),
            "use the version of Hattari that wrote it",
        ));
    }
    let manifest: Manifest = serde_json::from_slice(text).map_err(broken)?;
    check(&manifest)?;
    Ok(manifest)
}

/// Checks a file list: its limits, its paths, and the files to which it refers.
fn check(manifest: &Manifest) -> Result<(), PackProblem> {
    let foreign = |what: String| Err((what, FOREIGN));
    if manifest.files.len() > COUNT_MAX {
        return foreign(format!(
            "{} files; a pack can have at most {}",
            manifest.files.len(),
            grouped(COUNT_MAX as u64)
        ));
    }
    let size = manifest
        .files
        .iter()
        .map(|file| file.size)
        .fold(0, u64::saturating_add);
    if size > FILES_MAX {
        return foreign(format!(
            "{} bytes unpacked; a pack can have at most {}",
            grouped(size),
            grouped(FILES_MAX)
        ));
    }
    let mut seen = HashSet::new();
    for file in &manifest.files {
        check_path(&file.path).or_else(foreign)?;
        // Some file systems ignore case.
        if !seen.insert(file.path.to_lowercase()) {
            return foreign(format!("`{}` occurs twice", file.path));
        }
    }
    match manifest
        .bots
        .values()
        .filter_map(|bot| bot.file.as_ref())
        .chain([&manifest.league])
        .find(|path| manifest.files.iter().all(|file| file.path != **path))
    {
        Some(path) => foreign(format!(
            "it refers to `{}`, which is not in the file list",
            escape_line(path)
        )),
        None => Ok(()),
    }
}

/// Checks that a path stays within its folder on every system.
fn check_path(path: &str) -> Result<(), String> {
    let shown = escape_line(path);
    let bad = |reason: &str| Err(format!("`{shown}` {reason}"));
    if path.is_empty() || path.starts_with(['/', '\\']) || path.contains(':') {
        return bad("is not a path relative to the folder of the pack");
    }
    if path.split(['/', '\\']).any(|name| name == "..") {
        return bad("leads out of the folder of the pack");
    }
    if path.split('/').any(|name| name.is_empty() || name == ".") || path.contains(['\\', '\0']) {
        return bad("is not a plain path");
    }
    if path.contains(char::is_control) || path.len() > PATH_MAX {
        return bad("has control characters, or is too long for a pack");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::listed;
    use super::*;

    fn small() -> Vec<u8> {
        let (manifest, files) = listed(&[("a/x.yaml", "one"), ("b.lua", "two")]);
        write(&manifest, &files).unwrap()
    }

    #[test]
    fn packing_is_reversible_and_deterministic() {
        let bytes = small();
        assert_eq!(bytes, small());
        let contents = unpack(&bytes).unwrap();
        assert_eq!(contents.files, [b"one".to_vec(), b"two".to_vec()]);
        assert_eq!(contents.manifest.league, "a/x.yaml");
        assert_eq!(contents.digest, sha256(&bytes));
    }

    #[test]
    fn packs_with_missing_or_additional_bytes_are_rejected() {
        let bytes = small();
        for length in 0..bytes.len() {
            assert!(unpack(&bytes[..length]).is_err(), "cut to {length}");
        }
        let longer = [&bytes[..], b"x"].concat();
        assert!(unpack(&longer).is_err_and(|problem| problem.0.contains("after the end")));
    }

    #[test]
    fn paths_outside_the_pack_are_refused() {
        for path in ["a", "a/b.lua", "a b/..c", "日本/x"] {
            assert_eq!(check_path(path), Ok(()));
        }
        for path in [
            "", "/a", "\\a", "c:/a", "..", "a/../b", "a\\..\\b", "a//b", "./a", "a/", "a\nb",
            "a\0b",
        ] {
            assert!(check_path(path).is_err(), "{path:?}");
        }
    }
}
