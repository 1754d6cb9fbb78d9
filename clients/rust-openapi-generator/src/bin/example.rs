//! Sends a message, looks it up, reads an error, and keeps a contact in sync.

use email_api::{error_of, reliable};
use openapi::apis::emails_api::{get_email, send_email};
use openapi::apis::newsletter_api::{get_contact, unsubscribe_contact, upsert_contact};
use openapi::apis::Error;
use openapi::models::{Consent, ContactRequest, SendRequest, UnsubscribeRequest};
use std::{env, time::Duration};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let api = reliable(&env::var("EMAIL_API_URL")?, &env::var("EMAIL_API_KEY")?, Duration::from_secs(120));

    let mut message = SendRequest {
        from: "hello@bakery.example".to_owned(),
        to: vec!["ada@readers.example".to_owned()],
        subject: Some("Your order is ready".to_owned()),
        html: Some("<p>Come and get it.</p>".to_owned()),
        text: Some("Come and get it.".to_owned()),
        ..SendRequest::default()
    };
    let sent = send_email(&api, message.clone(), Some("order-7312-rust")).await?;
    println!("sent: {}", sent.id);

    println!("status: {}", get_email(&api, &sent.id).await?.status);

    message.to = vec!["gone@readers.example".to_owned()]; // who cannot receive email
    if let Err(Error::ResponseError(error)) = send_email(&api, message, None).await {
        println!("rejected: {} {}", error.status.as_u16(), error_of(&error.content).unwrap_or_default().r#type);
    }

    let email = "grace+rust@readers.example";
    let consent = Consent {
        detail: Some("Ticked the box at the counter on 31 January".to_owned()),
        ..Consent::default()
    };
    let contact = ContactRequest {
        first_name: Some("Grace".to_owned()),
        consent: Some(Box::new(consent)),
        ..ContactRequest::new(email.to_owned(), 2)
    };
    upsert_contact(&api, contact, None).await?;
    println!("contact: {}", get_contact(&api, email).await?.lists[0].status);

    let request = UnsubscribeRequest { list_id: Some(2), reason: None };
    let left = unsubscribe_contact(&api, email, Some(request)).await?;
    println!("contact: {}", left.lists[0].status);
    Ok(())
}
