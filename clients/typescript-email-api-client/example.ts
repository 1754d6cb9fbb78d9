// Sends a message, looks it up, reads an error, and keeps a contact in sync.
import { createClient, isErrorOf } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: process.env.EMAIL_API_URL ?? "https://api.example.com",
});

const message = {
  from: "hello@bakery.example",
  to: ["ada@readers.example"],
  subject: "Your order is ready",
  html: "<p>Come and get it.</p>",
  text: "Come and get it.",
};
const sent = await client.emails.send(message, { idempotencyKey: "order-7312-typescript" });
console.log("sent:", sent.id);

const found = await client.emails.get(sent.id);
console.log("status:", found.status);

try {
  await client.emails.send({ ...message, to: ["gone@readers.example"] }); // who cannot receive email
} catch (error) {
  if (!isErrorOf(error, "sendEmail")) throw error;
  console.log("rejected:", error.status, error.type);
}

const contact = {
  email: "grace+typescript@readers.example",
  list_id: 2,
  first_name: "Grace",
  consent: { detail: "Ticked the box at the counter on 31 January" },
};
await client.newsletter.contacts.upsert(contact);
const lookedUp = await client.newsletter.contacts.get(contact.email);
console.log("contact:", lookedUp.lists[0]?.status);

const left = await client.newsletter.contacts.unsubscribe(contact.email, { list_id: 2 });
console.log("contact:", left.lists[0]?.status);
