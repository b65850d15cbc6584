//! Terms on which the clients of an entrant are seated.

use super::door::{Door, Guest};
use super::handshake::Handshake;
use crate::agent::launch::{Launch, Running};
use crate::agent::{Budget, Limits};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long a client is waited for where a league does not say.
pub const START: Duration = Duration::from_secs(60);
/// How long an answer is waited for where a league does not limit it.
pub(crate) const HANG: Duration = Duration::from_secs(10);

/// On what terms an entrant's clients are seated.
#[derive(Debug)]
pub struct ClientTerms {
    /// The first exchange with them.
    pub handshake: &'static Handshake,
    /// Name of the entrant.
    pub name: String,
    /// Where they come in; `None` for those that are started and told where.
    pub door: Option<Arc<Door>>,
    /// How they are started; `None` for those that come by themselves.
    pub launch: Option<Launch>,
    /// How long one is waited for.
    pub start: Duration,
    /// How long an answer without a limit of its own is waited for.
    pub hang: Duration,
    /// One client is started at a time where others use the door too.
    pub(super) starting: Mutex<()>,
    /// A client that has come before anybody was seated.
    pub(super) first: Mutex<Option<(Guest, Running)>>,
}

impl ClientTerms {
    /// Terms of the entrant `name` under a league's budget.
    #[must_use]
    pub fn new(handshake: &'static Handshake, name: &str, budget: &Budget) -> ClientTerms {
        let limited = budget
            .decision_us
            .map(|us| Limits::patience(Duration::from_micros(us)));
        ClientTerms {
            handshake,
            name: name.to_owned(),
            door: None,
            launch: None,
            start: START,
            hang: limited.unwrap_or(HANG).max(Duration::from_secs(1)),
            starting: Mutex::default(),
            first: Mutex::default(),
        }
    }
}
