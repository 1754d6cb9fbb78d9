//! Lets the client suite call the client: a call per line of standard input, a reply per line of standard output.

use email_api::{error_of, reliable};
use openapi::apis::configuration::Configuration;
use openapi::apis::{account_api::*, emails_api::*, newsletter_api::*, Error};
use reqwest_middleware::ClientBuilder;
use serde::{de::DeserializeOwned, Serialize};
use serde_json::{json, Value};
use std::{env, fmt::Debug, io::stdin, time::Duration};

const OPERATIONS: [&str; 11] = [
    "sendEmail",
    "sendBatch",
    "getEmail",
    "rescheduleEmail",
    "cancelEmail",
    "listNewsletterLists",
    "listCustomFields",
    "upsertContact",
    "getContact",
    "unsubscribeContact",
    "getMe",
];

async fn call(api: &Configuration, call: &Value) -> Result<Value, Value> {
    let key = call["idempotencyKey"].as_str();
    let path = |name: &str| call["path"][name].as_str().unwrap_or_default();
    match call["operation"].as_str().unwrap_or_default() {
        "sendEmail" => result(send_email(api, body(call)?, key).await),
        "sendBatch" => result(send_batch(api, body(call)?, key).await),
        "getEmail" => result(get_email(api, path("id")).await),
        "rescheduleEmail" => result(reschedule_email(api, path("id"), body(call)?).await),
        "cancelEmail" => result(cancel_email(api, path("id")).await),
        "listNewsletterLists" => result(list_newsletter_lists(api).await),
        "listCustomFields" => result(list_custom_fields(api).await),
        "upsertContact" => result(upsert_contact(api, body(call)?, key).await),
        "getContact" => result(get_contact(api, path("email")).await),
        "unsubscribeContact" => result(unsubscribe_contact(api, path("email"), body(call)?).await),
        "getMe" => result(get_me(api).await),
        other => panic!("no operation {other}"),
    }
}

/// The body as the client's type; null for an optional one.
fn body<T: DeserializeOwned>(call: &Value) -> Result<T, Value> {
    serde_json::from_value(call["body"].clone()).map_err(|error| json!({ "kind": "not sent", "message": error.to_string() }))
}

fn result<T: Serialize, E: Debug>(outcome: Result<T, Error<E>>) -> Result<Value, Value> {
    outcome.map(|value| json!(value)).map_err(|error| {
        let message = format!("{error:?}");
        let lost = match error {
            Error::ResponseError(response) => {
                let detail = error_of(&response.content).map(|detail| json!(detail)).unwrap_or_default();
                let (status, request_id) = (response.status.as_u16(), &detail["request_id"]);
                return json!({ "kind": "response", "status": status, "type": detail["type"], "fields": detail["fields"], "requestId": request_id, "message": message });
            }
            Error::Reqwest(lost) | Error::ReqwestMiddleware(reqwest_middleware::Error::Reqwest(lost)) => lost,
            Error::ReqwestMiddleware(_) => return json!({ "kind": "not sent", "message": message }),
            _ => return json!({ "kind": "unreadable", "message": message }),
        };
        json!({ "kind": if lost.is_timeout() { "timeout" } else { "connection" }, "message": message })
    })
}

fn plain(base_url: &str, key: &str, timeout: Option<Duration>) -> Configuration {
    let mut http = reqwest::Client::builder();
    if let Some(timeout) = timeout {
        http = http.timeout(timeout);
    }
    Configuration {
        base_path: base_url.to_owned(),
        bearer_access_token: Some(key.to_owned()),
        client: ClientBuilder::new(http.build().expect("a client")).build(),
        ..Configuration::default()
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut lines = stdin().lines().map(|line| serde_json::from_str::<Value>(&line.expect("a line")).expect("JSON"));
    let start = lines.next().expect("a first line");
    let (base_url, key) = (start["baseUrl"].as_str().expect("a URL"), start["key"].as_str().expect("a key"));
    let is_reliable = env::args().any(|argument| argument == "--reliable");
    let create = |timeout: Option<Duration>| match is_reliable {
        true => reliable(base_url, key, timeout.unwrap_or(Duration::from_secs(120))),
        false => plain(base_url, key, timeout),
    };
    let api = create(None);
    let keys = if is_reliable { "automatic" } else { "explicit" };
    println!("{}", json!({ "protocol": 1, "client": "openapi-generator rust", "operations": OPERATIONS, "retries": is_reliable, "idempotencyKeys": keys, "timeouts": true, "printed": format!("{api:?}") }));
    for line in lines {
        let timed = line["timeout"].as_u64().map(|timeout| create(Some(Duration::from_millis(timeout))));
        let reply = match call(timed.as_ref().unwrap_or(&api), &line).await {
            Ok(result) => json!({ "call": line["call"], "result": result }),
            Err(error) => json!({ "call": line["call"], "error": error }),
        };
        println!("{reply}");
    }
}
