//! Policies: the probability of each action, from the weights of its features.
//!
//! The [`LightPolicy`] has few features and is for fast playouts, hundreds of thousands per second.
//! The [`FullPolicy`] also analyses the hand that each action leaves. The [`DeepPolicy`] has more
//! features and combines them with hidden units; it is for the moves of a bot.

mod deep;
mod features;
mod full;
mod gift;
mod network;
mod plan;
mod ranks;
mod view;
mod weights;

pub use deep::{CARDS, Deep};
pub use features::Light;
pub use full::Full;
pub use gift::Gift;
pub use plan::{Plan, plan};
pub use view::PolicyView;
pub use weights::{Groups, Policy, PolicyInput, WeightsError};

/// The policy of playouts.
pub type LightPolicy = Policy<Light, 7>;
/// The policy that analyses hands.
pub type FullPolicy = Policy<Full, 14>;
/// The policy of a bot's moves.
pub type DeepPolicy = Policy<Deep, 41>;
/// The policy of the exchange.
pub type GiftPolicy = Policy<Gift, 7>;
