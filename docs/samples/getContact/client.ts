import { ApiError, createClient } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: "https://api.example.com",
});

try {
  const contact = await client.newsletter.contacts.get("subscribed@readers.example");
  console.log(contact.marketing_blocked ? "Unsubscribed from everything" : "Can be subscribed");
  for (const { list_id, status } of contact.lists) console.log(list_id, status);
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.message); // error.type is "not_found" for an unknown contact
  process.exitCode = 1;
}
