//! Sandboxed programs: they run without being trusted, and have no effect outside of the sandbox.
#![cfg(target_os = "linux")]

use super::isolation::limits::on_old_kernel;
use super::programs::{PLAIN, all_faults, faults, league};
use crate::support::{Folder, ended, python, until, wait};
use hattari_agents::record::FaultKind;
use std::fs;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns a folder with a league of a sandboxed program, with `instead` inserted at one place.
fn folder(instead: &str) -> Folder {
    let folder =
        Folder::of(&league(&interpreter()).replace("x.py]}", "x.py], isolation: process}"));
    folder.write("x.py", PLAIN.replace("#here", instead));
    folder
}

/// Returns the path of the Python executable. A launcher that selects a version may be in the home
/// folder, which is hidden in the sandbox.
fn interpreter() -> String {
    let mut python = Command::new(python::with("json"));
    let told = ended(python.args(["-c", "import sys; print(sys.executable)"]));
    told.code(0).out.trim().to_owned()
}

#[test]
#[ignore = "needs Linux namespaces and Python 3 (apt-get install python3)"]
fn a_sandboxed_program_plays_without_trust() {
    let folder = folder("");
    folder
        .succeeds("run x.yaml --no-report")
        .complains(["in separate processes: `x`", "0 faults"]);
    folder
        .succeeds("report x.yaml --format json")
        .says("\"kind\": \"program, own process");
    let python = interpreter();
    // Without the setting, the program asks for confirmation.
    folder.edit("x.yaml", ", isolation: process", "");
    folder.refuses("run x.yaml --no-report", "--trust");
    // A setting for the whole league applies to all of its programs.
    folder.write("x.yaml", folder.read("x.yaml") + "isolation: process\n");
    folder.succeeds("run x.yaml --no-report");
    let checked = folder.hattari("check x.py --isolation process --deals 2 --blocks 1");
    // `python3` is visible in the sandbox only if it is in a system folder.
    if python.starts_with("/usr/bin") {
        checked.code(0).says([
            "in a process of its own",
            "network: separate network namespace without connections",
        ]);
        // The sandbox of root can read the unpacked files.
        folder.succeeds("cluster pack x.yaml");
        folder.succeeds("run x.hattari --no-report");
    }
}

/// Tries all attacks once and reports those that succeed.
const ATTACKS: &str = r#"
import ctypes, fcntl, resource, socket, subprocess
word = ctypes.c_ulong(0)
libc = ctypes.CDLL(None, use_errno=True)
def call(*words):
    if libc.syscall(*[ctypes.c_long(word) for word in words]) < 0:
        raise OSError(ctypes.get_errno(), "")
def connect(port):
    with socket.socket() as s:
        s.settimeout(2)
        s.connect(("127.0.0.1", port))
def ready(block):
    c = block["config"]
    write = lambda path: open(path, "a").close()
    tries = {
        "home": lambda: open(c["secret"]).read(),
        "league": lambda: open("x.yaml").read(),
        "other-bot": lambda: open("other.py").read(),
        "store": lambda: open("x.sqlite", "rb").read(),
        "passwords": lambda: open("/etc/passwd").read(),
        "write-folder": lambda: write("written"),
        "write-league": lambda: write(c["folder"] + "/written"),
        "write-itself": lambda: write("x.py"),
        "write-outside": lambda: write(c["outside"]),
        "network": lambda: connect(c["port"]),
        "see-others": lambda: open("/proc/%d/cmdline" % c["victim"]).read(),
        "signal-others": lambda: os.kill(c["victim"], 0),
        "environment": lambda: os.environ["HATTARI_TEST_SECRET"],
        "environment-of-first": lambda: open("/proc/1/environ", "rb").read(),
        "memory-of-first": lambda: open("/proc/1/mem", "rb+"),
        "root-of-first": lambda: os.listdir("/proc/1/root"),
        "memory-of-system": lambda: open("/proc/meminfo").read(),
        "descriptors": lambda: [os.fstat(n) for n in range(3, 64) if os.path.exists("/proc/self/fd/%d" % n)][0],
        "terminal": lambda: open("/dev/tty"),
        "devices": lambda: os.listdir("/sys") + os.listdir("/run"),
        "ptrace": lambda: call(101, 0, 0, 0, 0),
        "other-numbers": lambda: call(0x40000000 + 39),
        "spaces": lambda: call(272, 0x10000000),
        "vsock": lambda: socket.socket(40, socket.SOCK_STREAM),
        "netlink": lambda: socket.socket(16, socket.SOCK_RAW),
        "keys": lambda: call(250, 0, -3, 0),
        "nameless-file": lambda: os.memfd_create("x"),
        "root": lambda: os.setuid(0),
        "groups-of-host": lambda: {c["groups"]: 1}[os.readlink("/proc/self/ns/cgroup")],
        "limits": lambda: resource.prlimit(1, resource.RLIMIT_NOFILE),
        "nice": lambda: os.setpriority(os.PRIO_PROCESS, 1, 0),
        "session": lambda: open("/proc/self/autogroup", "w"),
        "watches": lambda: call(294, 0),
        "aio": lambda: call(206, 1, ctypes.addressof(word)),
        "pipes": lambda: fcntl.fcntl(os.pipe()[0], 1031, 1 << 16),
        "huge-pages": lambda: {0: 1}[libc.prctl(41, 0, 0, 0, 0)],
        "huge-pages-at-start": lambda: {0: 1}[libc.prctl(42, 0, 0, 0, 0)],
        "cores": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    }
    numbered = [] if os.uname().machine == 'x86_64' else ["ptrace", "other-numbers", "spaces", "keys", "watches", "aio"]
    went = []
    for name, one in tries.items():
        if name in numbered:
            continue
        try:
            one()
            went.append(name)
        except (OSError, KeyError, IndexError):
            pass
    print("went:", " ".join(went) or "nothing", file=sys.stderr)
    say({"type": "ready"})
"#;

#[test]
#[ignore = "needs Linux namespaces and Python 3 (apt-get install python3)"]
fn a_sandboxed_program_cannot_see_or_reach_anything_outside() {
    let folder = folder(ATTACKS);
    let (elsewhere, listener) = (Folder::new(), TcpListener::bind("127.0.0.1:0").unwrap());
    elsewhere.write("secret", "a secret");
    folder.write("other.py", "another's bot");
    let mut victim = Command::new("sleep")
        .arg("1000")
        .process_group(0)
        .spawn()
        .unwrap();
    let config = format!(
        ", config: {{secret: {:?}, outside: {:?}, folder: {:?}, port: {}, victim: {}, groups: '{}'}}, isolation",
        elsewhere.path("secret"),
        elsewhere.path("written"),
        folder.root(),
        listener.local_addr().unwrap().port(),
        victim.id(),
        fs::read_link("/proc/self/ns/cgroup").unwrap().display()
    );
    folder.edit("x.yaml", ", isolation", &config);
    folder.edit("x.yaml", "blocks: 1", "blocks: 2");
    let run = |more: &str| {
        let mut command = folder.command(("run x.yaml --no-report --restart", more));
        ended(command.env("HATTARI_TEST_SECRET", "s3cret"))
    };
    run("").code(0).complains(["0 faults", "`: went: nothing"]);
    assert!(!folder.path("written").exists() && !elsewhere.path("written").exists());
    // The same program, trusted, shows that the attacks would work without a sandbox.
    folder.edit("x.yaml", ", isolation: process", "");
    let free = run("--trust").code(0);
    for name in [
        "home",
        "league",
        "other-bot",
        "write-folder",
        "network",
        "signal-others",
        "environment",
        "nameless-file",
        "groups-of-host",
        "huge-pages",
    ] {
        assert!(free.err.contains(name), "{name}: {}", free.err);
    }
    victim.kill().unwrap();
    victim.wait().unwrap();
}

/// Descriptors of the host that cannot be closed would be available to the program.
#[test]
#[ignore = "needs Linux namespaces"]
fn no_program_starts_if_open_descriptors_cannot_be_closed() {
    let folder = Folder::of(&league("/bin/sh").replace("x.py]}", "-c, exit], isolation: process}"));
    on_old_kernel(&folder, &["-DCLOSE_RANGE_ONLY"], "run x.yaml --no-report")
        .code(2)
        .complains("its sandbox could not be created");
}

/// Returns the number of processes on this machine with this word in their command line.
fn marked(mark: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines
        .filter(|line| {
            line.split(|&byte| byte == 0)
                .any(|word| word == mark.as_bytes())
        })
        .count()
}

/// Waits until no process has this word in its command line.
fn is_gone(mark: &str) {
    until("the end of what was left", || {
        (marked(mark) == 0).then_some(())
    });
}

/// Returns code that leaves a process behind, in another process group and session.
fn leaver(mark: &str) -> String {
    format!(
        "def ready(block):\n    if os.fork() == 0:\n        os.setsid()\n        signal.signal(signal.SIGTERM, signal.SIG_IGN)\n        \
         if os.fork() == 0:\n            os.close(0); os.close(1)\n            \
         os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(1000)', '{mark}'])\n        \
         os._exit(0)\n    os.wait()\n    say({{'type': 'ready'}})\n"
    )
}

#[test]
#[ignore = "needs Linux namespaces and Python 3 (apt-get install python3)"]
fn processes_left_by_a_program_end_with_its_block() {
    let mark = format!("hattari-left-{}", std::process::id());
    let folder = folder(&leaver(&mark));
    assert_eq!(faults(&folder), []);
    is_gone(&mark);
}

#[test]
#[ignore = "needs Linux namespaces and Python 3 (apt-get install python3)"]
fn the_end_of_the_host_ends_the_program_and_its_child_processes() {
    let mark = format!("hattari-orphan-{}", std::process::id());
    let hangs = leaver(&mark) + "def act(turn): time.sleep(1000)\n";
    let folder = folder(&hangs);
    folder.edit("x.yaml", "decision_ms: 400", "decision_ms: 600000");
    let mut host = folder.start("run x.yaml --no-report");
    until("its process", || {
        assert!(host.try_wait().unwrap().is_none(), "the host has ended");
        (marked(&mark) > 0).then_some(())
    });
    host.kill().unwrap();
    wait(host);
    is_gone(&mark);
}

#[test]
#[ignore = "needs Linux namespaces and Python 3 (apt-get install python3)"]
fn processes_are_limited_and_excessive_memory_is_a_fault() {
    let forks = "def ready(block):\n    count = 0\n    try:\n        while count < 2000:\n            if os.fork() == 0:\n                \
                 time.sleep(1000)\n            count += 1\n    except OSError:\n        print('processes:', count, file=sys.stderr)\n    \
                 say({'type': 'ready'})\n";
    let held = folder(forks);
    let told = held
        .succeeds("run x.yaml --no-report")
        .complains("0 faults");
    let count = told
        .err
        .split("output of `x`: processes: ")
        .nth(1)
        .and_then(|rest| rest.split_whitespace().next()?.parse::<u32>().ok());
    assert!(
        count.is_some_and(|count| (100..256).contains(&count)),
        "{}",
        told.err
    );
    let limit = |folder: &Folder| {
        folder.edit(
            "x.yaml",
            "decision_ms: 400",
            "decision_ms: 20000, memory_mb: 128",
        );
    };
    // One process with much memory, and many with little.
    let alone =
        folder("def act(turn): len(bytearray(300 << 20)); say({'id': turn['id'], 'action': 1})");
    limit(&alone);
    all_faults(&alone, |fault| fault.message.contains("MemoryError"));
    let many = "def act(turn):\n    for _ in range(8):\n        if os.fork() == 0:\n            much = bytearray(b'x') * (60 << 20)\n            \
                time.sleep(1000)\n    time.sleep(1000)\n";
    let many = folder(many);
    limit(&many);
    all_faults(&many, |fault| {
        fault.kind == FaultKind::Memory && fault.message.contains("128 MiB are allowed")
    });
}

/// Memory that belongs to no process counts too, or cannot be had.
#[test]
#[ignore = "needs Linux namespaces and Python 3 (apt-get install python3)"]
fn memory_that_belongs_to_no_process_is_refused_or_counted() {
    let limited = |act| {
        let folder = folder(act);
        folder.edit(
            "x.yaml",
            "decision_ms: 400",
            "decision_ms: 20000, memory_mb: 64",
        );
        folder
    };
    let shared = "def act(turn):\n    import mmap\n    held = []\n    for _ in range(16):\n        part = mmap.mmap(-1, 8 << 20)\n        \
                  part[:] = b'x' * (8 << 20)\n        part.madvise(mmap.MADV_DONTNEED)\n        held.append(part)\n    \
                  say({'id': turn['id'], 'action': 1})\n";
    all_faults(&limited(shared), |fault| {
        fault.message.contains("Operation not permitted")
    });
    let sockets = "def act(turn):\n    import socket\n    held = []\n    for _ in range(100):\n        a, b = socket.socketpair()\n        \
                   for end in (a, b):\n            end.setblocking(False)\n            try:\n                \
                   while True: end.send(b'x' * 32768)\n            except BlockingIOError: pass\n        held.append((a, b))\n    \
                   time.sleep(10)\n    say({'id': turn['id'], 'action': 1})\n";
    all_faults(&limited(sockets), |fault| fault.kind == FaultKind::Memory);
    // Reading a page maps the common page of zeros, which does not count. Its table does.
    let tables = "def act(turn):\n    import mmap\n    held = mmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE, mmap.PROT_READ)\n    \
                  for place in range(0, 1 << 40, 2 << 20): held[place]\n    time.sleep(10)\n    say({'id': turn['id'], 'action': 1})\n";
    all_faults(&limited(tables), |fault| fault.kind == FaultKind::Memory);
}

/// The program is not the first process of its namespace, in which most signals have no effect.
#[test]
#[ignore = "needs Linux namespaces and Python 3 (apt-get install python3)"]
fn a_sandboxed_program_can_end_by_signal_or_exit_code() {
    for (end, words) in [
        (
            "os.abort()",
            "act: its process was terminated by signal 6 (SIGABRT",
        ),
        (
            "os.kill(os.getpid(), signal.SIGKILL)",
            "act: its process was killed with signal 9",
        ),
        // The host reports its limits by the next two signals, but these limits were not reached.
        (
            "os.kill(os.getpid(), signal.SIGXCPU)",
            "act: its process was terminated by signal 24 (SIGXCPU)",
        ),
        (
            "os.kill(os.getpid(), 64)",
            "act: its process was terminated by signal 63",
        ),
        ("sys.exit(3)", "act: its process ended with exit code 3"),
    ] {
        all_faults(&folder(&format!("def act(turn): {end}")), |fault| {
            fault.kind == FaultKind::Crash && fault.message.contains(words)
        });
    }
}

#[test]
#[ignore = "needs Linux namespaces and Python 3 (apt-get install python3)"]
fn a_sandboxed_program_can_read_its_folder_but_not_write_to_it() {
    let helper = "sys.path.insert(0, '.'); import helper\ndef ready(block):\n    assert helper.word() == 'beside'\n    \
                  open('/tmp/own', 'w').write('x')\n    say({'type': 'ready'})\n";
    let folder = folder(helper);
    folder.write("own/helper.py", "def word(): return open('word').read()\n");
    folder.write("own/word", "beside");
    folder.write("own/x.py", folder.read("x.py"));
    // A file next to the league is not visible in the sandbox.
    folder.write("helper.py", folder.read("own/helper.py"));
    folder.refuses("run x.yaml --no-report", "No module named 'helper'");
    folder.edit("x.yaml", "x.py], ", "own/x.py], folder: own, ");
    assert_eq!(faults(&folder), []);
    assert!(!Path::new("/tmp/own").exists());
}

/// Sandboxing also works for users other than root. Files that the program writes to its replaced
/// folders exist only in the sandbox and are deleted with it.
#[test]
#[ignore = "needs root and /usr/bin/python3 (apt-get install python3)"]
fn the_sandbox_works_without_root() {
    use std::os::unix::fs::chown;
    assert!(
        rustix::process::geteuid().is_root(),
        "this test needs root: it starts programs as another user"
    );
    let python = "/usr/bin/python3";
    let config = ", config: {secret: /etc/shadow, outside: /var/tmp/x, folder: '.', port: 1, victim: 4000000}, isolation";
    let league = league(python)
        .replace("x.py]}", "x.py], isolation: process}")
        .replace("decision_ms: 400", "memory_mb: 256");
    let folder = Folder::of(&league.replace(", isolation", config));
    folder.write("x.py", PLAIN.replace("#here", ATTACKS));
    // Other users may have no access to the build folder.
    let program = folder.path("hattari-copy");
    fs::copy(env!("CARGO_BIN_EXE_hattari"), &program).unwrap();
    for file in ["", "x.py", "x.yaml"] {
        chown(folder.path(file), Some(1234), Some(1234)).unwrap();
    }
    let mut command = Command::new(&program);
    command
        .args(["run", "x.yaml", "--no-report"])
        .current_dir(folder.root())
        .uid(1234)
        .gid(1234);
    let command = command.env("HATTARI_STATE", folder.root());
    let told = ended(command.stdin(Stdio::null())).code(0);
    let told = told.complains("0 faults").err;
    let went = told
        .split("went: ")
        .nth(1)
        .and_then(|rest| rest.lines().next())
        .expect("what went");
    let went: Vec<&str> = went
        .split(' ')
        .filter(|name| !["nothing", "write-folder", "write-league"].contains(name))
        .collect();
    assert!(
        went.is_empty() && !folder.path("written").exists(),
        "{told}"
    );
}
