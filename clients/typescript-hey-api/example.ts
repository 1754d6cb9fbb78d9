// Sends a message, looks it up, reads an error, and keeps a contact in sync.
import { getContact, getEmail, sendEmail, unsubscribeContact, upsertContact } from "./client";
import { createReliableClient } from "./reliable";

async function main(): Promise<void> {
  const client = createReliableClient(process.env.EMAIL_API_URL ?? "", process.env.EMAIL_API_KEY ?? "");

  const message = {
    from: "hello@bakery.example",
    to: ["ada@readers.example"],
    subject: "Your order is ready",
    html: "<p>Come and get it.</p>",
    text: "Come and get it.",
  };
  const headers = { "Idempotency-Key": "order-7312-hey-api" };
  const { data: sent } = await sendEmail({ client, headers, body: message, throwOnError: true });
  console.log("sent:", sent.id);

  const found = await getEmail({ client, path: { id: sent.id }, throwOnError: true });
  console.log("status:", found.data.status);

  // Who cannot receive email:
  const { error, response } = await sendEmail({ client, body: { ...message, to: ["gone@readers.example"] } });
  if (error !== undefined) console.log("rejected:", response?.status, error.error?.type);

  const contact = {
    email: "grace+hey-api@readers.example",
    list_id: 2,
    first_name: "Grace",
    consent: { detail: "Ticked the box at the counter on 31 January" },
  };
  await upsertContact({ client, body: contact, throwOnError: true });
  const path = { email: contact.email };
  const lookedUp = await getContact({ client, path, throwOnError: true });
  console.log("contact:", lookedUp.data.lists[0]?.status);

  const left = await unsubscribeContact({ client, path, body: { list_id: 2 }, throwOnError: true });
  console.log("contact:", left.data.lists[0]?.status);
}

void main();
