import { ApiError, createClient } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: "https://api.example.com",
});

try {
  // Without list_id: from all lists. The API cannot undo either.
  const contact = await client.newsletter.contacts.unsubscribe("subscribed@readers.example", {
    list_id: 2,
    reason: "Asked for it on the phone",
  });
  for (const { list_id, status } of contact.lists) console.log(list_id, status);
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.message); // for programs: error.type
  process.exitCode = 1;
}
