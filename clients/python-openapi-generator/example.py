"""Sends a message, looks it up, reads an error, and keeps a contact in sync."""

import os

from openapi_client import (
    ApiException,
    Consent,
    ContactRequest,
    ContentSend,
    EmailsApi,
    NewsletterApi,
    SendRequest,
    UnsubscribeRequest,
)
from reliable import ReliableClient, detail_of

client = ReliableClient(os.environ["EMAIL_API_URL"], os.environ["EMAIL_API_KEY"])
emails, newsletter = EmailsApi(client), NewsletterApi(client)

message = ContentSend(
    var_from="hello@bakery.example",
    to=["ada@readers.example"],
    subject="Your order is ready",
    html="<p>Come and get it.</p>",
    text="Come and get it.",
)
sent = emails.send_email(SendRequest(message), idempotency_key="order-7312-python")
print("sent:", sent.id)

found = emails.get_email(sent.id)
print("status:", found.status.value)

message.to = ["gone@readers.example"]  # who cannot receive email
try:
    emails.send_email(SendRequest(message))
except ApiException as error:
    print("rejected:", error.status, detail_of(error)["type"])

contact = ContactRequest(
    email="grace+python@readers.example",
    list_id=2,
    first_name="Grace",
    consent=Consent(detail="Ticked the box at the counter on 31 January"),
)
newsletter.upsert_contact(contact)
looked_up = newsletter.get_contact(contact.email)
print("contact:", looked_up.lists[0].status.value)

left = newsletter.unsubscribe_contact(contact.email, UnsubscribeRequest(list_id=2))
print("contact:", left.lists[0].status.value)
