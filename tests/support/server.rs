//! A running `hattari serve`, and hand-written HTTP, so that tests can send requests that no
//! browser sends.

use super::{Arguments, JsonPart, Running, Texts, command};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A server; killed when it goes out of scope.
pub(crate) struct Server {
    running: Running,
    /// Address of the server on this machine.
    pub address: SocketAddr,
    /// Address that the server printed.
    pub open: String,
}

/// An answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The status.
    pub status: u16,
    /// Status line and headers.
    pub head: String,
    /// The body.
    pub body: String,
}

impl Answer {
    /// Returns the body as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// Returns the path of the table that a person has joined.
    #[track_caller]
    pub(crate) fn table(&self) -> String {
        format!("/table/{}", self.json()["table"].text())
    }

    /// Asserts the status, and that the body contains these texts.
    #[track_caller]
    pub(crate) fn gives(self, status: u16, texts: impl Texts) -> Answer {
        assert_eq!(self.status, status, "{self:?}");
        for text in texts.all() {
            assert!(self.body.contains(text), "no `{text}` in {self:?}");
        }
        self
    }
}

impl Server {
    /// Starts a server on any free port in a folder.
    pub(crate) fn start(folder: &Path, arguments: impl Arguments) -> Server {
        Server::start_with(folder, arguments, None)
    }

    /// Starts a server with one more argument, which need not be text.
    pub(crate) fn start_with(
        folder: &Path,
        arguments: impl Arguments,
        more: Option<&OsStr>,
    ) -> Server {
        Server::of(command(folder, ("serve --port 0", arguments)).args(more))
    }

    /// Starts a server that can open at most `files` files.
    pub(crate) fn start_with_files(folder: &Path, arguments: impl Arguments, files: u32) -> Server {
        let plain = command(folder, ("serve --port 0", arguments));
        let mut limited = Command::new("sh");
        limited
            .arg("-c")
            .arg(format!("ulimit -n {files}; exec \"$0\" \"$@\""))
            .arg(plain.get_program());
        limited.args(plain.get_args()).current_dir(folder);
        for (name, value) in plain.get_envs() {
            match value {
                Some(value) => limited.env(name, value),
                None => limited.env_remove(name),
            };
        }
        Server::of(&mut limited)
    }

    fn of(command: &mut Command) -> Server {
        let mut running = Running::of(command);
        let line = running.until_says("\n");
        let open = line.trim().strip_prefix("open ");
        let open = open.unwrap_or_else(|| panic!("`{line}`")).to_owned();
        let host = open.split('/').nth(2).and_then(|host| host.parse().ok());
        let address = host.unwrap_or_else(|| panic!("`{line}`"));
        Server {
            running,
            address,
            open,
        }
    }

    /// Returns the origin of the server's pages.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sends a request with the given headers. `Host` is the server's unless it is among
    /// them.
    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut stream = self.send(method, path, headers, body, "close");
        let mut text = Vec::new();
        stream.read_to_end(&mut text).expect("an answer");
        let text = String::from_utf8(text).expect("UTF-8");
        let (head, body) = text.split_once("\r\n\r\n").expect("head and body");
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .expect("a status");
        Answer {
            status,
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    /// Requests a page.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], "")
    }

    /// Posts JSON.
    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask(
            "POST",
            path,
            &[("content-type", "application/json")],
            &body.to_string(),
        )
    }

    /// Joins a game at the first table of the first league.
    pub(crate) fn join(&self) -> Answer {
        self.post("/league/0/play", &json!({"line_up": 0, "place": 0}))
    }

    fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
        connection: &str,
    ) -> TcpStream {
        let mut text = format!("{method} {path} HTTP/1.1\r\nconnection: {connection}\r\n");
        if !headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("host"))
        {
            text += &format!("host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("content-length: {}\r\n\r\n{body}", body.len());
        self.send_part(&text)
    }

    /// Returns the messages of a stream of events in order, until it ends.
    pub(crate) fn events(&self, path: &str) -> impl Iterator<Item = Value> + use<> {
        let stream = self.send("GET", path, &[], "", "keep-alive");
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        // A chunked answer ends with an empty chunk.
        let lines = lines.take_while(|line| line != "0");
        lines.filter_map(|line| {
            Some(serde_json::from_str(line.strip_prefix("data: ")?).expect("JSON"))
        })
    }

    /// Connects and sends a part of a request.
    pub(crate) fn send_part(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).expect("the server listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("a socket");
        stream.write_all(text.as_bytes()).expect("the server reads");
        stream
    }

    /// Sends a signal by name. Returns the exit code and the time until the end.
    pub(crate) fn end(mut self, signal: &str) -> (i32, Duration) {
        let start = Instant::now();
        self.running.signal(signal);
        (self.running.code(), start.elapsed())
    }
}
