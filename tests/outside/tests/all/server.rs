//! A running `serve`, and a minimal HTTP client.

use crate::support::program;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

/// A server, which is stopped when it is dropped.
pub(crate) struct Server {
    child: Child,
    /// Address at which it listens.
    address: String,
}

impl Server {
    /// Starts a server on a free port.
    pub(crate) fn start(folder: &Path, arguments: &str) -> Server {
        let mut command = program(folder, &format!("serve --port 0 {arguments}"));
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it is piped"))
            .read_line(&mut line)
            .expect("it says where it is");
        let address = line
            .trim()
            .strip_prefix("open http://")
            .and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("`{line}`")).to_owned();
        Server { child, address }
    }

    fn send(&self, request: &str, body: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("a socket");
        let (address, length) = (&self.address, body.len());
        let head = format!(
            "{request} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {length}"
        );
        let json = if body.is_empty() {
            ""
        } else {
            "\r\ncontent-type: application/json"
        };
        write!(stream, "{head}{json}\r\n\r\n{body}").expect("the server reads");
        BufReader::new(stream)
    }

    /// Returns the body of the response to a request, which must be successful.
    #[track_caller]
    fn answer(&self, request: &str, body: &str) -> String {
        let mut text = String::new();
        self.send(request, body)
            .read_to_string(&mut text)
            .expect("an answer");
        let (head, body) = text.split_once("\r\n\r\n").expect("head and body");
        assert!(head.starts_with("HTTP/1.1 200"), "{request}: {text}");
        body.to_owned()
    }

    /// Returns a page.
    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> String {
        self.answer(&format!("GET {path}"), "")
    }

    /// Posts JSON and returns the response.
    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: &Value) -> String {
        self.answer(&format!("POST {path}"), &body.to_string())
    }

    /// Returns the messages of an event stream until it ends.
    pub(crate) fn events(&self, path: &str) -> impl Iterator<Item = Value> + use<> {
        let lines = self
            .send(&format!("GET {path}"), "")
            .lines()
            .map_while(Result::ok);
        let lines = lines.take_while(|line| line != "0");
        lines.filter_map(|line| {
            Some(serde_json::from_str(line.strip_prefix("data: ")?).expect("JSON"))
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
