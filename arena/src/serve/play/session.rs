//! A person's games against bots: what the page has been told, what it is asked, what it has
//! answered.

use serde_json::{Value, json};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long nobody need be looking before a table is cleared.
pub(super) const LEFT_AFTER: Duration = Duration::from_secs(120);
/// How long a person may think.
pub(super) const THINKING_MAX: Duration = Duration::from_secs(3600);
/// How long a table has to be idle before it gives way to others: without a page, and with one.
const IDLE_ALONE: Duration = Duration::from_secs(5);
const IDLE_WATCHED: Duration = Duration::from_secs(600);
/// How often somebody who waits looks whether the person has left.
const TICK: Duration = Duration::from_millis(200);

/// An answer of the person's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// A choice among the actions offered, with an amount where it takes one.
    Act {
        /// Number of the action.
        action: u32,
        /// The amount.
        amount: i64,
    },
    /// The next game may begin.
    GoOn,
}

/// What the person is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// To choose; for each action the amounts that it takes, if it takes any.
    Act(Vec<Option<(i64, i64)>>),
    /// Whether to go on.
    GoOn,
}

/// Why an answer is not taken.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotTaken {
    /// It is not for the question that is open.
    #[error("this has been answered already")]
    Late,
    /// It is none to the question.
    #[error("{0}")]
    Wrong(String),
}

/// A table with a person at it, between the thread that plays and the pages that look.
pub(crate) struct Session {
    /// What the page has been told, in order, as JSON.
    messages: Mutex<Vec<String>>,
    /// How many messages there are; whoever waits for more is woken.
    count: watch::Sender<usize>,
    state: Mutex<State>,
    answers: Mutex<Receiver<Reply>>,
}

struct State {
    question: Option<Question>,
    /// Number of the question, from 1.
    asked: u64,
    sender: Sender<Reply>,
    has_left: bool,
    is_over: bool,
    /// Pages that listen.
    listeners: usize,
    /// When the last page went, or the session began.
    alone_since: Instant,
    /// When the person was asked last.
    asked_since: Instant,
}

/// How idle a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Idle {
    /// Somebody has its page open.
    pub is_watched: bool,
    /// Since the last page was closed, or since the person was asked.
    pub time: Duration,
}

impl Idle {
    /// Whether somebody who waits for a table may have this one: nobody looks at it, which a page
    /// that is being opened does only after a moment, or whoever looks has not answered for
    /// long.
    pub(super) fn gives_way(self) -> bool {
        let least = if self.is_watched {
            IDLE_WATCHED
        } else {
            IDLE_ALONE
        };
        least <= self.time
    }
}

/// The person has left, or has thought too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gone;

impl Default for Session {
    fn default() -> Session {
        let (sender, receiver) = channel();
        let state = State {
            question: None,
            asked: 0,
            sender,
            has_left: false,
            is_over: false,
            listeners: 0,
            alone_since: Instant::now(),
            asked_since: Instant::now(),
        };
        Session {
            messages: Mutex::default(),
            count: watch::Sender::new(0),
            state: Mutex::new(state),
            answers: Mutex::new(receiver),
        }
    }
}

impl Session {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the page something.
    pub(crate) fn tell(&self, message: &Value) {
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        messages.push(message.to_string());
        self.count.send_replace(messages.len());
    }

    /// The message of that number, if it has been told.
    pub(crate) fn message(&self, number: usize) -> Option<String> {
        self.messages
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(number)
            .cloned()
    }

    /// Wakes whoever waits for messages.
    pub(crate) fn more(&self) -> watch::Receiver<usize> {
        self.count.subscribe()
    }

    /// Asks the person; [`Session::wait`] waits for the answer.
    pub(crate) fn put(&self, question: Question, mut message: Value) {
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

    /// Waits for the answer to what was asked.
    ///
    /// # Errors
    /// The person has left.
    pub(crate) fn wait(&self) -> Result<Reply, Gone> {
        let asked = Instant::now();
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if self.has_left() || THINKING_MAX < asked.elapsed() {
                self.leave();
                return Err(Gone);
            }
            match answers.recv_timeout(TICK) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Gone),
            }
        }
    }

    /// Asks and waits.
    ///
    /// # Errors
    /// The person has left.
    pub(crate) fn ask(&self, question: Question, message: Value) -> Result<Reply, Gone> {
        self.put(question, message);
        self.wait()
    }

    /// Takes the answer to the question of that number.
    ///
    /// # Errors
    /// It is for another question, or no answer to it.
    pub(crate) fn answer(&self, number: u64, answer: Reply) -> Result<(), NotTaken> {
        let mut state = self.state();
        let question = state
            .question
            .as_ref()
            .filter(|_| state.asked == number)
            .ok_or(NotTaken::Late)?;
        match (question, answer) {
            (Question::GoOn, Reply::GoOn) => {}
            (Question::Act(amounts), Reply::Act { action, amount }) => {
                let range = amounts.get(action as usize);
                let range =
                    range.ok_or_else(|| NotTaken::Wrong(format!("there is no action {action}")))?;
                if let Some((low, high)) =
                    range.filter(|(low, high)| !(*low..=*high).contains(&amount))
                {
                    return Err(NotTaken::Wrong(format!(
                        "{amount} is not within {low} to {high}"
                    )));
                }
            }
            _ => {
                return Err(NotTaken::Wrong(
                    "that is no answer to what was asked".to_owned(),
                ));
            }
        }
        state.question = None;
        // The receiver lives as long as the session.
        _ = state.sender.send(answer);
        Ok(())
    }

    /// The person leaves; the table is cleared.
    pub(crate) fn leave(&self) {
        self.state().has_left = true;
    }

    /// Whether the person has left: said so, or closed every page some while ago.
    pub(crate) fn has_left(&self) -> bool {
        let state = self.state();
        state.has_left || (state.listeners == 0 && LEFT_AFTER < state.alone_since.elapsed())
    }

    /// For how long nobody has done anything here, and whether a page is open.
    pub(super) fn idle(&self) -> Idle {
        let state = self.state();
        match state.listeners {
            0 => Idle {
                is_watched: false,
                time: state.alone_since.elapsed(),
            },
            _ if state.question.is_some() => Idle {
                is_watched: true,
                time: state.asked_since.elapsed(),
            },
            _ => Idle {
                is_watched: true,
                time: Duration::ZERO,
            },
        }
    }

    /// The table is cleared: nothing more will be told.
    pub(crate) fn end(&self) {
        self.state().is_over = true;
        self.count.send_modify(|_| ());
    }

    /// Whether the table is cleared.
    pub(crate) fn is_over(&self) -> bool {
        self.state().is_over
    }

    /// A page listens, or does so no more.
    pub(crate) fn listens(&self, does: bool) {
        let mut state = self.state();
        if does {
            state.listeners += 1;
        } else {
            state.listeners = state.listeners.saturating_sub(1);
            state.alone_since = Instant::now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn answers_are_taken_once_and_only_where_they_are_some() {
        let session = Arc::new(Session::default());
        let asker = Arc::clone(&session);
        let asking = std::thread::spawn(move || {
            let question = Question::Act(vec![None, Some((20, 90))]);
            asker.ask(question, json!({"kind": "ask"}))
        });
        while session.message(0).is_none() {
            std::thread::yield_now();
        }
        assert_eq!(
            session.message(0).unwrap(),
            r#"{"kind":"ask","question":1}"#
        );
        let act = |action, amount| Reply::Act { action, amount };
        assert_eq!(session.answer(2, act(0, 0)), Err(NotTaken::Late));
        assert!(matches!(
            session.answer(1, act(2, 0)),
            Err(NotTaken::Wrong(_))
        ));
        assert!(matches!(
            session.answer(1, act(1, 19)),
            Err(NotTaken::Wrong(_))
        ));
        assert!(matches!(
            session.answer(1, Reply::GoOn),
            Err(NotTaken::Wrong(_))
        ));
        assert_eq!(session.answer(1, act(1, 90)), Ok(()));
        assert_eq!(session.answer(1, act(0, 0)), Err(NotTaken::Late));
        assert_eq!(asking.join().unwrap(), Ok(act(1, 90)));
    }

    #[test]
    fn who_leaves_is_not_waited_for() {
        let session = Arc::new(Session::default());
        let asker = Arc::clone(&session);
        let asking = std::thread::spawn(move || asker.ask(Question::GoOn, json!({})));
        session.leave();
        assert_eq!(asking.join().unwrap(), Err(Gone));
        assert!(session.has_left() && !session.is_over());
    }
}
