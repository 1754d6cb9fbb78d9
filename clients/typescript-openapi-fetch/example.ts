// Sends a message, looks it up, reads an error, and keeps a contact in sync.
import { createReliableClient } from "./reliable.ts";

const api = createReliableClient(process.env.EMAIL_API_URL ?? "", process.env.EMAIL_API_KEY ?? "");

const message = {
  from: "hello@bakery.example",
  to: ["ada@readers.example"],
  subject: "Your order is ready",
  html: "<p>Come and get it.</p>",
  text: "Come and get it.",
};
const header = { "Idempotency-Key": "order-7312-openapi-fetch" };
const { data: sent } = await api.POST("/api/v1/emails", { params: { header }, body: message });
if (sent === undefined) throw new Error("the message was not sent");
console.log("sent:", sent.id);

const found = await api.GET("/api/v1/emails/{id}", { params: { path: { id: sent.id } } });
console.log("status:", found.data?.status);

// Who cannot receive email:
const { error, response } = await api.POST("/api/v1/emails", {
  body: { ...message, to: ["gone@readers.example"] },
});
if (error !== undefined) console.log("rejected:", response.status, error.error.type);

const contact = {
  email: "grace+openapi-fetch@readers.example",
  list_id: 2,
  first_name: "Grace",
  consent: { detail: "Ticked the box at the counter on 31 January" },
};
await api.POST("/api/v1/newsletter/contacts", { body: contact });
const params = { path: { email: contact.email } };
const lookedUp = await api.GET("/api/v1/newsletter/contacts/{email}", { params });
console.log("contact:", lookedUp.data?.lists[0]?.status);

const unsubscribe = { params, body: { list_id: 2 } };
const left = await api.POST("/api/v1/newsletter/contacts/{email}/unsubscribe", unsubscribe);
console.log("contact:", left.data?.lists[0]?.status);
