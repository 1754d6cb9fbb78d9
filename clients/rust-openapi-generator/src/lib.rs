//! Retries and idempotency keys for a client that OpenAPI Generator generated.

use async_trait::async_trait;
use http::header::{HeaderMap, HeaderValue, ACCEPT, AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use http::{Extensions, Method};
use openapi::apis::configuration::Configuration;
use openapi::models::{ErrorDetail, ErrorResponse};
use reqwest::{Request, Response};
use reqwest_middleware::{ClientBuilder, Error, Middleware, Next, Result};
use std::time::{Duration, Instant, SystemTime};

const ATTEMPTS: i32 = 4;
const WITH_KEY: [&str; 3] = ["/v1/emails", "/v1/emails/batch", "/v1/newsletter/contacts"];

/// A client whose calls end after `timeout`, with all attempts and pauses.
pub fn reliable(base_url: &str, key: &str, timeout: Duration) -> Configuration {
    let mut authorization = HeaderValue::from_str(&format!("Bearer {key}")).expect("an API key");
    authorization.set_sensitive(true); // so that printing the client does not show it
    let headers = [(ACCEPT, HeaderValue::from_static("application/json")), (AUTHORIZATION, authorization)];
    let http = reqwest::Client::builder()
        .default_headers(HeaderMap::from_iter(headers))
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .expect("a TLS library");
    Configuration {
        base_path: base_url.to_owned(),
        client: ClientBuilder::new(http).with(Reliable { timeout }).build(),
        ..Configuration::default()
    }
}

/// The error of a response, if its body is one.
pub fn error_of(body: &str) -> Option<ErrorDetail> {
    serde_json::from_str(body).ok().map(|response: ErrorResponse| *response.error)
}

struct Reliable {
    timeout: Duration,
}

#[async_trait]
impl Middleware for Reliable {
    /// Sends a request up to four times if that is safe.
    async fn handle(&self, mut request: Request, extensions: &mut Extensions, next: Next<'_>) -> Result<Response> {
        let url = request.url();
        if url.scheme() != "https" && !matches!(url.host_str(), Some("127.0.0.1" | "localhost")) {
            return Err(Error::Middleware(std::io::Error::other("base_path must start with https://").into()));
        }
        let takes_key = request.method() == Method::POST && WITH_KEY.iter().any(|path| url.path().ends_with(path));
        let path = url.path().replace('+', "%20"); // the generated code writes a space as +
        request.url_mut().set_path(&path);
        if takes_key && !request.headers().contains_key("idempotency-key") {
            let key = format!("{:032x}", rand::random::<u128>()); // the same for all attempts
            request.headers_mut().insert("idempotency-key", HeaderValue::from_str(&key).expect("hexadecimal"));
        }
        let repeatable = request.method() == Method::GET || request.headers().contains_key("idempotency-key");
        let deadline = Instant::now() + self.timeout;
        let mut attempt = 1;
        loop {
            let mut copy = request.try_clone().expect("a body in memory");
            *copy.timeout_mut() = Some(deadline.saturating_duration_since(Instant::now()));
            let outcome = match next.clone().run(copy, extensions).await {
                Ok(response) => complete(response).await,
                Err(lost) => Err(lost),
            };
            let mut pause = Duration::from_secs_f64(0.5 * 2f64.powi(attempt - 1) * rand::random_range(0.5..1.0));
            let retry = match &outcome {
                Err(_) => repeatable, // the request may have been processed
                Ok((_, Some(retry_after))) => {
                    pause += *retry_after;
                    true
                }
                Ok((response, None)) => repeatable && matches!(response.status().as_u16(), 500 | 502 | 503),
            };
            if !retry || attempt == ATTEMPTS || Instant::now() + pause > deadline {
                return outcome.map(|(response, _)| response);
            }
            tokio::time::sleep(pause).await;
            attempt += 1;
        }
    }
}

/// Reads the whole body, so that a connection that is lost within it is noticed here. Adds the pause after a 429 `rate_limited`.
async fn complete(response: Response) -> Result<(Response, Option<Duration>)> {
    let (status, mut headers) = (response.status(), response.headers().clone());
    let body = response.text().await?;
    let limited = status == 429 && error_of(&body).is_some_and(|error| error.r#type == "rate_limited");
    let pause = limited.then(|| retry_after(&headers));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json")); // generated code rejects `Application/JSON`
    let mut whole = http::Response::new(body);
    *whole.status_mut() = status;
    *whole.headers_mut() = headers;
    Ok((whole.into(), pause))
}

fn retry_after(headers: &HeaderMap) -> Duration {
    let value = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()).unwrap_or("60");
    match (value.parse(), httpdate::parse_http_date(value)) {
        (Ok(seconds), _) => Duration::from_secs(seconds),
        (_, Ok(date)) => date.duration_since(SystemTime::now()).unwrap_or_default(),
        _ => Duration::from_secs(60),
    }
}
