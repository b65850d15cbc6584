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

pub use deep::{CARDS, DeepFeatures};
pub use features::LightFeatures;
pub use full::FullFeatures;
pub use gift::GiftFeatures;
pub use network::{Hidden, STEPS, STEPS_MAX, UNITS};
pub use plan::{Plan, plan};
pub use view::PolicyView;
pub use weights::{Groups, Policy, PolicyInput, WeightsError};

/// The policy for fast playouts.
pub type LightPolicy = Policy<LightFeatures, 7>;
/// The policy that also analyses the hand that an action leaves.
pub type FullPolicy = Policy<FullFeatures, 14>;
/// The policy for the moves of a bot, with hidden units.
pub type DeepPolicy = Policy<DeepFeatures, 41>;
/// The policy for gifts in the exchange.
pub type GiftPolicy = Policy<GiftFeatures, 7>;

/// Former name of [`LightFeatures`].
#[deprecated(since = "0.3.0", note = "renamed to `LightFeatures`")]
pub type Light = LightFeatures;
/// Former name of [`FullFeatures`].
#[deprecated(since = "0.3.0", note = "renamed to `FullFeatures`")]
pub type Full = FullFeatures;
/// Former name of [`DeepFeatures`].
#[deprecated(since = "0.3.0", note = "renamed to `DeepFeatures`")]
pub type Deep = DeepFeatures;
/// Former name of [`GiftFeatures`].
#[deprecated(since = "0.3.0", note = "renamed to `GiftFeatures`")]
pub type Gift = GiftFeatures;
