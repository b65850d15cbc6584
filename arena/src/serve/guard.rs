//! Access control: host names against DNS rebinding, origins against requests from other sites, and
//! a token for remote access.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use subtle::ConstantTimeEq;

/// The access rules for requests.
pub(crate) struct AccessRules {
    /// The required token; `None` if no token is required.
    pub token: Option<String>,
    /// The port of the server.
    pub port: u16,
}

/// Returns 128 random bits as hexadecimal digits, for tokens and ids that cannot be guessed.
///
/// # Errors
/// Returns an error if the system has no random numbers.
pub(crate) fn random_token() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| anyhow::anyhow!("cannot get random numbers from the system: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl AccessRules {
    /// Returns the name of the cookie with the token. Cookies are shared by all ports of a host, so
    /// the name contains the port.
    fn token_cookie(&self) -> String {
        format!("hattari-token-{}", self.port)
    }

    /// Returns `true` if a request may use this host name. With a token, every name is accepted.
    /// Otherwise only names of the local machine are accepted, because requests made by DNS
    /// rebinding contain the name of another site.
    fn accepts_host(&self, host: &str) -> bool {
        if self.token.is_some() {
            return true;
        }
        // Strict parsing: only a name and an optional port are accepted.
        let (is_own, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((address, port)) => (
                address
                    .parse::<Ipv6Addr>()
                    .is_ok_and(|address| address.is_loopback()),
                port,
            ),
            None => {
                let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
                let is_address = name
                    .parse::<Ipv4Addr>()
                    .is_ok_and(|address| address.is_loopback());
                (is_address || name.eq_ignore_ascii_case("localhost"), port)
            }
        };
        is_own && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
    }

    /// Returns the place at which a request contains the token.
    fn token_source(&self, headers: &HeaderMap, query: Option<&str>) -> TokenSource {
        let Some(token) = &self.token else {
            return TokenSource::InHeaders;
        };
        let is_token = |value: &str| bool::from(value.as_bytes().ct_eq(token.as_bytes()));
        let text = |name: HeaderName| {
            headers
                .get_all(name)
                .into_iter()
                .filter_map(|value| value.to_str().ok())
        };
        let mut cookies = text(COOKIE)
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='));
        let mut bearers = text(AUTHORIZATION).filter_map(|value| value.strip_prefix("Bearer "));
        let own = self.token_cookie();
        if cookies.any(|(name, value)| name == own && is_token(value)) || bearers.any(is_token) {
            return TokenSource::InHeaders;
        }
        if query
            .unwrap_or_default()
            .split('&')
            .filter_map(|field| field.split_once('='))
            .any(|(name, value)| name == "token" && is_token(value))
        {
            TokenSource::InAddress
        } else {
            TokenSource::Missing
        }
    }
}

/// Returns `true` for a port number that consists of digits only.
fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok()
}

/// The place at which a request contains the token.
enum TokenSource {
    /// The token is in a cookie or header, or the server requires no token.
    InHeaders,
    /// The token is in the URL that the program printed. It is then moved to a cookie.
    InAddress,
    /// The request contains no valid token.
    Missing,
}

/// Accepts or rejects a request, and adds the security headers to the response.
pub(super) async fn check(
    State(guard): State<Arc<AccessRules>>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(HOST).unwrap_or_default();
    // A request can name a second host in another header or in its URL.
    let is_one = headers.get_all(HOST).iter().count() == 1;
    let named = request.uri().authority().map(Authority::as_str);
    if !is_one || !guard.accepts_host(host) || named.is_some_and(|name| !guard.accepts_host(name)) {
        let reason = "this server accepts only host names of its own machine, such as 127.0.0.1 or \
            localhost\n";
        return with_policy((StatusCode::MISDIRECTED_REQUEST, reason).into_response());
    }
    let is_ours = |origin: &str| {
        origin
            .strip_prefix("http://")
            .is_some_and(|from| from.eq_ignore_ascii_case(host))
    };
    if text(ORIGIN).is_some_and(|origin| !is_ours(origin)) {
        let reason = "requests from pages of other sites are refused\n";
        return with_policy((StatusCode::FORBIDDEN, reason).into_response());
    }
    let response = match guard.token_source(headers, request.uri().query()) {
        TokenSource::InHeaders => next.run(request).await,
        TokenSource::InAddress => move_token(&guard, request.uri().path()),
        TokenSource::Missing => {
            let reason = "a token is required: open the URL that `hattari serve` printed\n";
            (StatusCode::UNAUTHORIZED, reason).into_response()
        }
    };
    with_policy(response)
}

/// Redirects to the same page and sets a cookie with the token, so that the token does not stay in
/// the browser history.
fn move_token(guard: &AccessRules, path: &str) -> Response {
    let token = guard.token.as_deref().unwrap_or_default();
    let cookie = guard.token_cookie();
    let cookie = format!("{cookie}={token}; Path=/; HttpOnly; SameSite=Strict");
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    // A path with two leading slashes would redirect to another host.
    let path = format!("/{}", path.trim_start_matches('/'));
    for (name, value) in [(SET_COOKIE, cookie), (LOCATION, path)] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// Adds security headers: pages are self-contained, contact only this server, cannot be framed and
/// are not cached.
fn with_policy(mut response: Response) -> Response {
    let policies = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
    ];
    for (name, value) in policies {
        response.headers_mut().insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_host_names_are_accepted_without_a_token() {
        let (token, port) = (None, 8737);
        let guard = AccessRules { token, port };
        for host in [
            "127.0.0.1:8737",
            "localhost",
            "LOCALHOST:1",
            "[::1]:8737",
            "127.9.9.9",
            "[::1]",
            "[0:0:0:0:0:0:0:1]:80",
            "LocalHost",
            "127.0.0.1:0",
            "127.0.0.1:65535",
        ] {
            assert!(guard.accepts_host(host), "{host}");
        }
        let others = [
            "evil.example:8737",
            "",
            "127.0.0.1.evil.example",
            "192.168.0.7",
            "[::2]:1",
            "localhost.evil:1",
            "[::1].evil.example",
            "[::1].evil.example:80",
            "[::1]evil",
            "[::1]:80.evil.example",
            "[::1]:",
            "[::1",
            "::1",
            "[127.0.0.1]",
            "[::1%lo]",
            "[::ffff:127.0.0.1]",
            "[]",
            "user@127.0.0.1",
            "127.0.0.1@evil.example",
            "localhost:80@evil.example",
            "localhost:80:80",
            "localhost:",
            "localhost:+80",
            "localhost:65536",
            "localhost:8o",
            "localhost.",
            "127.0.0.1.",
            ".localhost",
            "127.1",
            "2130706433",
            "0177.0.0.1",
            "0x7f.0.0.1",
            "127.0.0.01",
            "0.0.0.0",
            " localhost",
            "localhost/evil.example",
            "localhost\\evil.example",
            "localhost,evil.example",
            "localhost%00.evil.example",
            "ｌocalhost",
        ];
        for host in others {
            assert!(!guard.accepts_host(host), "{host}");
        }
        assert!(
            AccessRules {
                token: Some("x".into()),
                port
            }
            .accepts_host("arena.example")
        );
    }

    #[test]
    fn a_token_is_accepted_from_the_cookie_header_or_query() {
        let guard = AccessRules {
            token: Some(random_token().unwrap()),
            port: 8810,
        };
        let token = guard.token.clone().unwrap();
        assert_eq!(token.len(), 32);
        let shown = |name: HeaderName, value: &str, query: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_str(value).unwrap());
            guard.token_source(&headers, query)
        };
        let cookie = format!("hattari-token-8811=b; hattari-token-8810={token}");
        assert!(matches!(
            shown(COOKIE, &cookie, None),
            TokenSource::InHeaders
        ));
        assert!(matches!(
            shown(AUTHORIZATION, &format!("Bearer {token}"), None),
            TokenSource::InHeaders
        ));
        assert!(matches!(
            shown(COOKIE, "a=b", Some(&format!("x=1&token={token}"))),
            TokenSource::InAddress
        ));
        let wrong = [
            ("hattari-token-8810=", Some("token=")),
            ("hattari-token-8810=1", Some("token")),
            (&cookie.replace("8810", "8812"), None),
            (&token, None),
        ];
        for (cookie, query) in wrong {
            assert!(matches!(shown(COOKIE, cookie, query), TokenSource::Missing));
        }
        let shorter = &token[..31];
        assert!(matches!(
            shown(COOKIE, &format!("hattari-token-8810={shorter}"), None),
            TokenSource::Missing
        ));
    }
}
