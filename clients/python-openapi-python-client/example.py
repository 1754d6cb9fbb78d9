"""Sends a message, looks it up, reads an error, and keeps a contact in sync."""

import os

from email_api_client.api.emails import get_email, send_email
from email_api_client.api.newsletter import get_contact, unsubscribe_contact, upsert_contact
from email_api_client.models import Consent, ContactRequest, ContentSend, UnsubscribeRequest
from reliable import EmailApiError, reliable_client

client = reliable_client(os.environ["EMAIL_API_URL"], os.environ["EMAIL_API_KEY"])

message = ContentSend(
    from_="hello@bakery.example",
    to=["ada@readers.example"],
    subject="Your order is ready",
    html="<p>Come and get it.</p>",
    text="Come and get it.",
)
sent = send_email.sync(client=client, body=message, idempotency_key="order-7312-python-httpx")
print("sent:", sent.id)

found = get_email.sync(sent.id, client=client)
print("status:", found.status)

message.to = ["gone@readers.example"]  # who cannot receive email
try:
    send_email.sync(client=client, body=message)
except EmailApiError as error:
    print("rejected:", error.status, error.type)

contact = ContactRequest(
    email="grace+python-httpx@readers.example",
    list_id=2,
    first_name="Grace",
    consent=Consent(detail="Ticked the box at the counter on 31 January"),
)
upsert_contact.sync(client=client, body=contact)
looked_up = get_contact.sync(contact.email, client=client)
print("contact:", looked_up.lists[0].status)

left = unsubscribe_contact.sync(contact.email, client=client, body=UnsubscribeRequest(list_id=2))
print("contact:", left.lists[0].status)
