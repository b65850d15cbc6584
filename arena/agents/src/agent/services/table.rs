//! The list of services.

use super::double_dummy::DOUBLE_DUMMY;
use super::lookahead::LOOKAHEAD;
use super::service::Service;

/// All services, at most one for each game.
pub(crate) const SERVICES: [&Service; 2] = [&DOUBLE_DUMMY, &LOOKAHEAD];

/// Returns the service of a game; `None` if it has none.
pub(crate) fn of_game(id: &str) -> Option<&'static Service> {
    SERVICES.into_iter().find(|service| service.game == id)
}
