import { ApiError, createClient } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: "https://api.example.com",
});
const inTwoHours = new Date(Date.now() + 2 * 60 * 60 * 1000).toISOString();

try {
  await client.emails.reschedule("sched_01JD7Q9V5N3K8R", { scheduled_at: inTwoHours });
  console.log(`Scheduled for ${inTwoHours}`);
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.message); // error.type is "not_reschedulable" if it is already sent
  process.exitCode = 1;
}
