//! Policies: how likely each action is to be chosen, by the weights of its features.

mod features;
mod sight;
mod weights;

pub use features::{FEATURES, Features, GROUPS, Judge, NAMES, SIZES, STARTS};
pub use sight::Sight;
pub use weights::{Policy, WeightsError};
