//! The list of services, and the state of a service during a block.

use super::double_dummy::DOUBLE_DUMMY;
use super::lookahead::LOOKAHEAD;
use super::service::{Request, Service, ServiceRefusal, ServiceSession, ServiceStep};
use crate::agent::Turn;

/// All services, at most one for each game.
pub(crate) const SERVICES: [&Service; 2] = [&DOUBLE_DUMMY, &LOOKAHEAD];

/// Returns the service of a game; `None` if it has none.
pub(crate) fn of_game(id: &str) -> Option<&'static Service> {
    SERVICES.into_iter().find(|service| service.game == id)
}

/// The service that a bot can call in a block. It is started at the first call of each block, so
/// results and costs of calls do not depend on earlier blocks.
#[derive(Default)]
pub(crate) struct BlockServices {
    service: Option<&'static Service>,
    options_json: String,
    seed: u64,
    session: Option<ServiceSession>,
}

impl BlockServices {
    /// Starts a block. `seed` is the seed of the bot.
    pub(crate) fn start_block(&mut self, game: &str, options_json: &str, seed: u64) {
        self.service = of_game(game);
        self.session = None;
        self.seed = seed;
        self.options_json.clear();
        if self.service.is_some() {
            self.options_json.push_str(options_json);
        }
    }

    /// Calls the method with index `method` of a service.
    ///
    /// # Errors
    /// Returns the reason why the call stopped. Results that were written before are valid.
    pub(crate) fn call(
        &mut self,
        service: &Service,
        method: usize,
        turn: &Turn<'_>,
        request: &Request<'_>,
        caller: &mut dyn FnMut(ServiceStep<'_>) -> Result<(), ServiceRefusal>,
    ) -> Result<(), ServiceRefusal> {
        if self.service.is_none_or(|own| own.id != service.id) {
            return Err(ServiceRefusal::NoDecision);
        }
        if self.session.is_none() {
            self.session = (service.start)(&self.options_json, self.seed);
        }
        let session = self.session.as_mut().ok_or(ServiceRefusal::NoDecision)?;
        session(method, turn, request, caller)
    }
}
