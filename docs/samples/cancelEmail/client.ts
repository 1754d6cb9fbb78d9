import { ApiError, createClient } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: "https://api.example.com",
});

try {
  const { status } = await client.emails.cancel("sched_01JD7Q9V5N3K8R");
  console.log(status); // "canceled"
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.message); // error.type is "not_cancellable" if it is already sent
  process.exitCode = 1;
}
