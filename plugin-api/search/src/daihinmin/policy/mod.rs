//! Policies: how likely each action is to be chosen, by the weights of its features.
//!
//! The [`LightPolicy`] looks at little and serves quick playouts, by the hundred thousand a second;
//! the [`FullPolicy`] also takes every hand apart that an action would leave; the [`DeepPolicy`]
//! looks at still more, and at what its features mean together, and serves the moves that are
//! really made.

mod deep;
mod features;
mod full;
mod gift;
mod network;
mod plan;
mod ranks;
mod sight;
mod weights;

pub use deep::{CARDS, Deep};
pub use features::Light;
pub use full::Full;
pub use gift::Gift;
pub use plan::{Plan, plan};
pub use sight::Sight;
pub use weights::{Groups, Look, Policy, WeightsError};

/// The policy of playouts.
pub type LightPolicy = Policy<Light, 7>;
/// The policy that takes hands apart.
pub type FullPolicy = Policy<Full, 14>;
/// The policy of moves that are made.
pub type DeepPolicy = Policy<Deep, 41>;
/// The policy of the exchange.
pub type GiftPolicy = Policy<Gift, 7>;
