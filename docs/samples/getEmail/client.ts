import { ApiError, createClient } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: "https://api.example.com",
});

try {
  const message = await client.emails.get("sched_01JD7Q9V5N3K8R");
  console.log(message.status, message.status_description);
  if (message.bounce) console.log(message.bounce.summary, message.bounce.what_to_do);
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.message); // error.type is "not_found" for an unknown id
  process.exitCode = 1;
}
