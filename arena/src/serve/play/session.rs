//! The state of a table: messages to the page, the open question, and answers of the person.

use crate::serve::error::ErrorResponse;
use hattari_agents::agent::lock;
use serde_json::{Value, json};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Time without an open page after which a table is closed, as if the person had left.
pub(super) const ABANDONED_AFTER: Duration = Duration::from_secs(120);
/// Time limit for an answer of the person.
pub(super) const THINKING_MAX: Duration = Duration::from_secs(3600);
/// Idle time after which a table without an open page can be replaced by another.
const IDLE_ALONE: Duration = Duration::from_secs(5);
/// Idle time after which a table with an open page can be replaced by another.
const IDLE_WATCHED: Duration = Duration::from_secs(600);
/// Interval for checking whether the person has left.
const TICK: Duration = Duration::from_millis(200);

/// An answer of the person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PersonReply {
    /// A choice among the legal actions, with an amount if the action takes one.
    Act {
        /// Index of the action.
        action: u32,
        /// Amount of the action; ignored if the action takes none.
        amount: i64,
    },
    /// A request to start the next game.
    NextGame,
}

/// A question to the person.
pub(crate) enum Question {
    /// A request to choose an action. Contains the range of amounts of each action; `None` for
    /// actions without an amount.
    Act(Vec<Option<(i64, i64)>>),
    /// A request to confirm that the next game may start.
    NextGame,
}

/// A table with a person, shared by the thread that plays and by the pages that show the table.
pub(crate) struct PlaySession {
    /// Messages to the page in order, as JSON. A change wakes waiting streams.
    messages: watch::Sender<Vec<String>>,
    state: Mutex<PlayState>,
    answers: Mutex<Receiver<PersonReply>>,
}

/// The changing part of a session.
struct PlayState {
    question: Option<Question>,
    /// Number of the last question, from 1.
    asked: u64,
    sender: Sender<PersonReply>,
    has_left: bool,
    is_over: bool,
    /// Number of open pages.
    listeners: usize,
    /// Time at which the last page was closed, or the start of the session.
    alone_since: Instant,
    /// Time of the last question.
    asked_since: Instant,
}

impl Default for PlaySession {
    fn default() -> PlaySession {
        let (sender, receiver) = channel();
        let state = PlayState {
            question: None,
            asked: 0,
            sender,
            has_left: false,
            is_over: false,
            listeners: 0,
            alone_since: Instant::now(),
            asked_since: Instant::now(),
        };
        PlaySession {
            messages: watch::Sender::default(),
            state: Mutex::new(state),
            answers: Mutex::new(receiver),
        }
    }
}

impl PlaySession {
    fn state(&self) -> MutexGuard<'_, PlayState> {
        lock(&self.state)
    }

    /// Sends a message to the page. After the person has left, no messages are sent, because the
    /// rest of the games is not played by the person.
    pub(crate) fn tell(&self, message: &Value) {
        if !self.has_left() {
            self.send(message);
        }
    }

    fn send(&self, message: &Value) {
        self.messages
            .send_modify(|messages| messages.push(message.to_string()));
    }

    /// Returns the message with this index, or `None` if it has not been sent yet.
    pub(crate) fn message(&self, number: usize) -> Option<String> {
        self.messages.borrow().get(number).cloned()
    }

    /// Returns a receiver that is notified of new messages.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Vec<String>> {
        self.messages.subscribe()
    }

    /// Sends a question to the page. [`PlaySession::wait`] waits for the answer.
    pub(crate) fn send_question(&self, question: Question, mut message: Value) {
        let number = {
            let mut state = self.state();
            state.asked += 1;
            state.question = Some(question);
            state.asked_since = Instant::now();
            state.asked
        };
        message["question"] = json!(number);
        self.tell(&message);
    }

    /// Waits for the answer to the last question. Returns `None` if the person has left or exceeded
    /// the time limit.
    pub(crate) fn wait(&self) -> Option<PersonReply> {
        let asked_since = Instant::now();
        let answers = lock(&self.answers);
        loop {
            if self.has_left() || asked_since.elapsed() > THINKING_MAX {
                self.leave();
                return None;
            }
            match answers.recv_timeout(TICK) {
                Ok(answer) => return Some(answer),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// Accepts an answer to the question with this number.
    ///
    /// # Errors
    /// Returns an error if another question is open or the answer does not fit it.
    pub(crate) fn answer(&self, number: u64, answer: PersonReply) -> Result<(), ErrorResponse> {
        let mut state = self.state();
        let question = state
            .question
            .as_ref()
            .filter(|_| state.asked == number)
            .ok_or_else(|| ErrorResponse::conflict("this decision has already been made"))?;
        match (question, answer) {
            (Question::NextGame, PersonReply::NextGame) => {}
            (Question::Act(amounts), PersonReply::Act { action, amount }) => {
                let range = amounts.get(action as usize).ok_or_else(|| {
                    ErrorResponse::bad_request(format!("there is no action {action}"))
                })?;
                if let Some((low, high)) =
                    range.filter(|(low, high)| !(*low..=*high).contains(&amount))
                {
                    return Err(ErrorResponse::bad_request(format!(
                        "the amount must be from {low} to {high} (got {amount})"
                    )));
                }
            }
            _ => {
                return Err(ErrorResponse::bad_request(
                    "this answer does not fit the current decision",
                ));
            }
        }
        state.question = None;
        // Sending cannot fail: the session owns the receiver.
        _ = state.sender.send(answer);
        Ok(())
    }

    /// Marks the person as gone; the table is then closed.
    pub(crate) fn leave(&self) {
        self.state().has_left = true;
    }

    /// Returns `true` if the person has left, or if no page has been open for [`ABANDONED_AFTER`].
    pub(crate) fn has_left(&self) -> bool {
        let mut state = self.state();
        state.has_left |= state.listeners == 0 && state.alone_since.elapsed() > ABANDONED_AFTER;
        state.has_left
    }

    /// Returns if the table has no open page, and its idle time: since the last page was closed, or
    /// since the open question was asked. Returns `None` if the table may not be replaced by
    /// another: a page was open during [`IDLE_ALONE`], or the question has not been open for
    /// [`IDLE_WATCHED`].
    pub(super) fn idle(&self) -> Option<(bool, Duration)> {
        let state = self.state();
        let is_alone = state.listeners == 0;
        let (time, least) = if is_alone {
            (state.alone_since.elapsed(), IDLE_ALONE)
        } else if state.question.is_some() {
            (state.asked_since.elapsed(), IDLE_WATCHED)
        } else {
            return None;
        };
        (least <= time).then_some((is_alone, time))
    }

    /// Sends the last message, marks the table as closed and wakes waiting streams.
    pub(crate) fn end(&self, last: &Value) {
        self.send(last);
        self.state().is_over = true;
        self.messages.send_modify(|_| ());
    }

    /// Returns `true` if the table is closed.
    pub(crate) fn is_over(&self) -> bool {
        self.state().is_over
    }

    /// Counts a page that was opened.
    pub(crate) fn page_opened(&self) {
        self.state().listeners += 1;
    }

    /// Counts a page that was closed.
    pub(crate) fn page_closed(&self) {
        let mut state = self.state();
        state.listeners = state.listeners.saturating_sub(1);
        state.alone_since = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::thread::{JoinHandle, spawn};

    /// Returns a session with a question, and the thread that waits for the answer.
    fn asked(question: Question) -> (Arc<PlaySession>, JoinHandle<Option<PersonReply>>) {
        let session = Arc::new(PlaySession::default());
        let asker = Arc::clone(&session);
        let asking = spawn(move || {
            asker.send_question(question, json!({"kind": "ask"}));
            asker.wait()
        });
        (session, asking)
    }

    #[test]
    fn an_answer_is_accepted_once_and_only_if_it_is_valid() {
        let (session, asking) = asked(Question::Act(vec![None, Some((20, 90))]));
        while session.message(0).is_none() {
            std::thread::yield_now();
        }
        assert_eq!(
            session.message(0).unwrap(),
            r#"{"kind":"ask","question":1}"#
        );
        let act = |action, amount| PersonReply::Act { action, amount };
        let refusal = |number, answer| session.answer(number, answer).unwrap_err().to_string();
        let late = "this decision has already been made";
        assert_eq!(refusal(2, act(0, 0)), late);
        assert_eq!(refusal(1, act(2, 0)), "there is no action 2");
        assert!(refusal(1, act(1, 19)).contains("from 20 to 90"));
        assert!(refusal(1, PersonReply::NextGame).contains("does not fit"));
        assert!(session.answer(1, act(1, 90)).is_ok());
        assert_eq!(refusal(1, act(0, 0)), late);
        assert_eq!(asking.join().unwrap(), Some(act(1, 90)));
    }

    #[test]
    fn the_session_does_not_wait_for_a_player_who_left() {
        let (session, asking) = asked(Question::NextGame);
        session.leave();
        assert_eq!(asking.join().unwrap(), None);
        assert!(session.has_left() && !session.is_over());
        session.tell(&json!("moved"));
        session.end(&json!("closed"));
        let messages = session.subscribe().borrow().concat();
        assert!(session.is_over() && messages.ends_with(r#""closed""#));
        assert!(!messages.contains("moved"), "{messages}");
    }
}
