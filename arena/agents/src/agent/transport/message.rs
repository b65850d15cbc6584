//! Calls from the host to a bot, before they are encoded as JSON or frames.

use super::frame::{self, ActHead, BlockHead, Outbox, Payoffs};
use crate::agent::status::size;
use crate::agent::{BlockStart, Notice, Observation, Records, Turn};

/// A call from the host to a bot.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Message<'a> {
    /// A notification.
    Notice(Notice<'a>),
    /// A request to choose a legal action.
    Act(Turn<'a>),
}

impl<'a> Message<'a> {
    /// Returns the name of the call.
    pub(crate) fn call(&self) -> &'static str {
        match self {
            Message::Notice(notice) => notice.name(),
            Message::Act(_) => "act",
        }
    }

    /// Encodes the message as a frame with a number. `sent` is the number of events of the deal
    /// that the bot has received, and is updated. Without `has_events`, the history is empty.
    pub(crate) fn put_frame(
        &self,
        number: u64,
        sent: &mut u32,
        has_events: bool,
        out: &mut Outbox,
    ) {
        let shown = |seen: Observation<'a>| Observation {
            history: if has_events {
                seen.history
            } else {
                Records::default()
            },
            ..seen
        };
        match *self {
            Message::Notice(Notice::BlockStart(BlockStart {
                game,
                options_json,
                players,
                player,
                deals,
                seed,
            })) => {
                out.begin(frame::BLOCK_START, number);
                out.put(&BlockHead {
                    players,
                    player,
                    deals,
                    game: size(game.as_bytes()),
                    options: size(options_json.as_bytes()),
                    reserved: 0,
                    seed,
                });
                out.add(game.as_bytes());
                out.add(options_json.as_bytes());
            }
            Message::Notice(Notice::DealStart(seen)) => {
                *sent = 0;
                out.begin(frame::DEAL_START, number);
                out.put_observation(sent, &shown(seen), |_| {});
            }
            Message::Act(Turn {
                seen,
                legal,
                budget_us,
            }) => {
                out.begin(frame::ACT, number);
                let choose = ActHead {
                    actions: legal.count(),
                    action: legal.stride(),
                    budget_us,
                };
                out.put_observation(sent, &shown(seen), |out| out.put(&choose));
                out.add(legal.as_bytes());
            }
            Message::Notice(Notice::DealEnd(seen, payoffs)) => {
                out.begin(frame::DEAL_END, number);
                let head = Payoffs {
                    payoffs: size(payoffs),
                    reserved: 0,
                };
                out.put_observation(sent, &shown(seen), |out| out.put(&head));
                out.add(bytemuck::cast_slice(payoffs));
            }
            Message::Notice(Notice::BlockEnd) => out.begin(frame::BLOCK_END, number),
        }
    }
}
