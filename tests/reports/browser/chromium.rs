//! A headless Chromium, controlled by its DevTools protocol: JSON over a WebSocket.

use crate::support::{JsonPart, until};
use data_encoding::BASE64;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};
use tungstenite::{Message, WebSocket};

/// Time limit for a page to do what a test waits for. It allows for machines with other load.
const PATIENCE: Duration = Duration::from_secs(120);

/// Returns the browser's program.
///
/// # Panics
/// Panics if there is none.
fn program() -> String {
    let named = env::var("HATTARI_CHROMIUM").ok();
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let found = named
        .into_iter()
        .chain(names.map(str::to_owned))
        .find(|name| {
            let asked = Command::new(name)
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            asked.is_ok_and(|status| status.success())
        });
    found.unwrap_or_else(|| {
        panic!(
            "none of {} starts: apt-get install chromium, or name the program in HATTARI_CHROMIUM",
            names.join(", ")
        )
    })
}

/// A browser with one page.
pub(super) struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    /// Session of the page, once the browser has opened one.
    session: Option<Value>,
    number: u64,
    /// Exceptions, and errors on the page's console.
    pub complaints: Vec<String>,
    /// Addresses that the page has requested.
    pub requests: Vec<String>,
    /// Folder for all files that the browser writes.
    folder: tempfile::TempDir,
}

impl Browser {
    /// Starts a browser. It writes all files into one folder, which is removed with it.
    ///
    /// # Panics
    /// Panics if there is no Chromium, or if it does not start.
    pub(super) fn start() -> Browser {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let flags = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-extensions",
            "--disable-background-networking",
            "--no-first-run",
            "--hide-scrollbars",
            "--remote-debugging-port=0",
            "--window-size=1100,900",
        ];
        let mut command = Command::new(program());
        command
            .args(flags)
            .arg(format!(
                "--user-data-dir={}",
                folder.path().join("profile").display()
            ))
            .arg("about:blank");
        // Temporary files, settings and caches, which Chromium puts elsewhere by default and does
        // not remove.
        for variable in ["TMPDIR", "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            command.env(variable, folder.path());
        }
        command.process_group(0);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        let listening = lines.find_map(|line| {
            Some(
                line.ok()?
                    .split_once("DevTools listening on ws://")?
                    .1
                    .to_owned(),
            )
        });
        let listening = listening.expect("the browser says where it listens");
        // The rest of its output is read, so that it does not block on a full pipe.
        thread::spawn(move || lines.for_each(drop));
        let (host, path) = listening.split_once('/').expect("an address");
        let stream = TcpStream::connect(host).expect("the browser listens");
        let (socket, _) =
            tungstenite::client(format!("ws://{host}/{path}"), stream).expect("a web socket");
        let mut browser = Browser {
            child,
            socket,
            session: None,
            number: 0,
            complaints: Vec::new(),
            requests: Vec::new(),
            folder,
        };
        browser.attach();
        browser
    }

    /// Opens a page and subscribes to its events.
    fn attach(&mut self) {
        let mut made = self.call("Target.createTarget", json!({"url": "about:blank"}));
        let target = json!({"targetId": made["targetId"].take(), "flatten": true});
        let mut attached = self.call("Target.attachToTarget", target);
        self.session = Some(attached["sessionId"].take());
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
    }

    /// Calls a method of the page, or of the browser as long as there is no page.
    pub(super) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let mut message = json!({"id": self.number, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = session.clone();
        }
        self.socket
            .send(Message::text(message.to_string()))
            .expect("the browser listens");
        loop {
            let Message::Text(text) = self.socket.read().expect("the browser answers") else {
                continue;
            };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if message["id"] == self.number {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.note(&message);
        }
    }

    /// Records the errors and requests of a page.
    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => self
                .complaints
                .push(parameters["exceptionDetails"].to_string()),
            "Runtime.consoleAPICalled" if parameters["type"] == "error" => {
                self.complaints.push(parameters["args"].to_string());
            }
            "Log.entryAdded" if is_error(&parameters["entry"]) => {
                self.complaints.push(parameters["entry"].to_string());
            }
            "Network.requestWillBeSent" => {
                let address = parameters["request"]["url"].text();
                self.requests.push(address.to_owned());
            }
            _ => {}
        }
    }

    /// Opens an address and waits until the page is loaded.
    pub(super) fn open(&mut self, address: &str) {
        self.requests.clear();
        self.call("Page.navigate", json!({"url": address}));
        let there = format!(
            "document.readyState === 'complete' && location.href.startsWith({:?})",
            address
        );
        self.wait(&there);
    }

    /// Opens a file.
    pub(super) fn open_file(&mut self, path: &Path) {
        self.open(&format!("file://{}", path.display()));
    }

    /// Returns the value of an expression in the page.
    #[track_caller]
    pub(super) fn eval(&mut self, expression: &str) -> Value {
        let parameters =
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let result = self.call("Runtime.evaluate", parameters);
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {}",
            result["exceptionDetails"]
        );
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(super) fn wait(&mut self, expression: &str) {
        let until = Instant::now() + PATIENCE;
        while self.eval(expression) != true {
            let page = || "document.body ? document.body.innerText.slice(0, 3000) : ''";
            if until < Instant::now() {
                let text = self.eval(page());
                panic!("never so: {expression}\n{text}\n{:?}", self.complaints);
            }
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Presses a key in the element that has the focus.
    pub(super) fn press(&mut self, key: &str) {
        let (code, number) = match key {
            " " => ("Space", 32),
            "End" => (key, 35),
            "Home" => (key, 36),
            "ArrowLeft" => (key, 37),
            "ArrowRight" => (key, 39),
            _ => (key, 0),
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event =
                json!({"type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number});
            if kind == "keyDown" && key == " " {
                event["text"] = key.into();
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Sets the size of the window and the theme.
    pub(super) fn look(&mut self, width: u32, height: u32, theme: &str) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", size);
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// Saves a screenshot in the folder that `HATTARI_SCREENSHOTS` names, if it is set.
    pub(super) fn picture(&mut self, name: &str) {
        let Ok(folder) = env::var("HATTARI_SCREENSHOTS") else {
            return;
        };
        let taken = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let png = BASE64
            .decode(taken["data"].text().as_bytes())
            .expect("base 64");
        fs::create_dir_all(&folder).expect("the folder");
        fs::write(Path::new(&folder).join(format!("{name}.png")), png)
            .expect("the picture is written");
    }

    /// Asserts that the page has reported no errors.
    #[track_caller]
    pub(super) fn is_content(&mut self) {
        // One more call, so that all earlier events have arrived.
        self.eval("0");
        assert!(self.complaints.is_empty(), "{:#?}", self.complaints);
    }
}

/// Returns true if a log entry is an error of the page. The missing icon of the tab is not an
/// error.
fn is_error(entry: &Value) -> bool {
    entry["level"] == "error"
        && !entry["url"]
            .as_str()
            .unwrap_or_default()
            .ends_with("/favicon.ico")
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser's helper processes write into the profile until they end, and would recreate
        // files during the removal.
        _ = Command::new("kill")
            .args(["-KILL", "--", &format!("-{}", self.child.id())])
            .stderr(Stdio::null())
            .status();
        _ = self.child.wait();
        let folder = self.folder.path();
        let is_in_use = |process: &fs::DirEntry| {
            let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
            words
                .windows(folder.as_os_str().len())
                .any(|part| part == folder.as_os_str().as_bytes())
        };
        until("the browser's processes end", || {
            let mut processes = fs::read_dir("/proc").ok()?.flatten();
            (!processes.any(|process| is_in_use(&process))).then_some(())
        });
        if !thread::panicking() {
            fs::remove_dir_all(folder).expect("nobody writes there any more");
        }
    }
}
