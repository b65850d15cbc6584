//! Policies: how likely each action is to be chosen, by the weights of its features.
//!
//! There are two. The [`LightPolicy`] looks at little and serves playouts, by the hundred thousand a second; the
//! [`FullPolicy`] also takes every hand apart that an action would leave, and serves the moves that are really made.

mod features;
mod full;
mod gift;
mod plan;
mod ranks;
mod sight;
mod weights;

pub use features::Light;
pub use full::Full;
pub use gift::Gift;
pub use plan::{Plan, plan};
pub use sight::Sight;
pub use weights::{Look, Policy, STANDINGS, WeightsError};

/// The policy of playouts.
pub type LightPolicy = Policy<Light, 7>;
/// The policy of moves that are made.
pub type FullPolicy = Policy<Full, 14>;
/// The policy of the exchange.
pub type GiftPolicy = Policy<Gift, 7>;
