//! Encoding of messages between the host and the processes of bots.

pub(crate) mod frame;
pub(crate) mod timed;

pub(crate) use frame::Message;
