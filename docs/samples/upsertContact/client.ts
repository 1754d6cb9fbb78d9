import { ApiError, createClient } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: "https://api.example.com",
});

try {
  const { email, status } = await client.newsletter.contacts.upsert({
    email: "grace@readers.example",
    list_id: 1,
    first_name: "Grace",
    fields: { city: "Leeds" },
    consent: { detail: "Ticked the box at the counter on 31 January" },
  });
  console.log(email, status); // "pending" if the list has double opt-in
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.message, error.fields ?? "");
  process.exitCode = 1;
}
