//! Encoding of messages between the host and the processes of bots.

pub(crate) mod frame;
mod message;
pub(crate) mod timed;

pub(crate) use message::Message;
