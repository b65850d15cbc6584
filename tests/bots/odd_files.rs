//! Files in bot folders that cannot contain a bot: pipes, devices, endless kernel files, and files
//! of a terabyte.
#![cfg(target_os = "linux")]

use crate::support::{Ended, Folder, has, shell};
use rustix::fs::{CWD, Mode, mkfifoat};
use std::fs::{self, File};
use std::os::unix::fs::symlink;

/// Runs the program with limits of ten seconds of processor time and thirty seconds of real time,
/// so that hanging and endless work fail.
fn limited(folder: &Folder, arguments: &str) -> Ended {
    let line = format!("ulimit -t 10; exec timeout -k 1 30 hattari {arguments}");
    shell(folder.root(), &line)
}

#[test]
fn odd_files_are_refused_and_do_not_affect_other_bots() {
    let folder = Folder::new();
    let league = "game: daihinmin\nentrants: [base, all-k, default, single, {name: x, bot: NAME}]\n\
                  format: {kind: line-ups, size: 5}\nblocks: 1\ndeals: 2\n";
    let mut names = Vec::new();
    for (kind, ending) in [
        ("bots", "so"),
        ("bots", "wasm"),
        ("daihinmin", "lua"),
        ("daihinmin", "py"),
    ] {
        fs::create_dir_all(folder.path(&format!("all/{kind}"))).unwrap();
        let file = |name: &str| {
            let place = if kind == "bots" {
                "all"
            } else {
                "all/daihinmin"
            };
            folder.path(&format!("{place}/{name}.{ending}"))
        };
        symlink("/proc/self/pagemap", file("endless")).unwrap();
        symlink("/proc/kmsg", file("waits")).unwrap();
        symlink("/dev/zero", file("zero")).unwrap();
        mkfifoat(CWD, file("pipe"), Mode::from_raw_mode(0o700)).unwrap();
        File::create(file("huge"))
            .unwrap()
            .set_len(1 << 40)
            .unwrap();
        names.extend(["endless", "waits", "zero", "pipe", "huge"].map(file));
    }
    let listed = limited(&folder, "show bots --bots all");
    assert_eq!(listed.code, 1, "{}", listed.err);
    // Other bots in the same folder are found.
    folder.write(
        "good.yaml",
        league.replace("{name: x, bot: NAME}", "random"),
    );
    limited(&folder, "run good.yaml --no-report --quiet --bots all").code(0);
    for file in names {
        // For a program only the size of its file is checked. Its interpreter reads it in a
        // separate process.
        let name = file.file_stem().unwrap();
        if file.extension().is_some_and(|ending| ending == "py")
            && (name == "endless" || name == "waits")
        {
            continue;
        }
        folder.write(
            "x.yaml",
            league.replace("NAME", &file.display().to_string()),
        );
        let refused = limited(&folder, "run x.yaml --no-report --quiet");
        assert_eq!(refused.code, 2, "{}: {}", file.display(), refused.err);
        has(&refused.err, &file.file_name().unwrap().to_string_lossy());
    }
}
