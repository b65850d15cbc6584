//! Encoding of messages between the host and the processes of bots.

pub(crate) mod frame;
mod message;

pub(crate) use message::Message;
