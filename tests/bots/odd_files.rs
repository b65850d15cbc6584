//! Files among bots that no bot can be in: pipes, devices, files of the kernel without an end,
//! files of a terabyte.
#![cfg(target_os = "linux")]

use crate::support::{Ended, Folder, PROGRAM, ended};
use rustix::fs::{CWD, Mode, mkfifoat};
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::Command;

/// Runs the program with ten seconds of processor time and thirty of the clock, so that what hangs
/// or never ends fails.
fn limited(folder: &Folder, arguments: &[&str]) -> Ended {
    let mut command = Command::new("sh");
    command
        .args([
            "-c",
            "ulimit -t 10; exec timeout -k 1 30 \"$0\" \"$@\"",
            PROGRAM,
        ])
        .args(arguments);
    ended(
        command
            .current_dir(folder.root())
            .env("HATTARI_STATE", folder.path(".state")),
    )
}

#[test]
fn they_are_refused_and_do_not_keep_others_from_playing() {
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
    let listed = limited(&folder, &["show", "bots", "--bots", "all"]);
    assert_eq!(listed.code, 1, "{}", listed.err);
    // Others are found beside them.
    folder.write(
        "good.yaml",
        league.replace("{name: x, bot: NAME}", "random"),
    );
    limited(
        &folder,
        &[
            "run",
            "good.yaml",
            "--no-report",
            "--quiet",
            "--bots",
            "all",
        ],
    )
    .code(0);
    for file in names {
        // Of a program's file only its size is looked at; its interpreter reads it, in a process of
        // its own.
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
        let refused = limited(&folder, &["run", "x.yaml", "--no-report", "--quiet"]);
        assert_eq!(refused.code, 2, "{}: {}", file.display(), refused.err);
        assert!(
            refused
                .err
                .contains(&*file.file_name().unwrap().to_string_lossy()),
            "{}",
            refused.err
        );
    }
}
