import { ApiError, createClient } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: "https://api.example.com",
});

try {
  const { id, suppressed } = await client.emails.send({
    from: "hello@bakery.example",
    to: ["ada@readers.example"],
    subject: "Your bread is ready",
    html: "<p>Come and get it.</p>",
    text: "Come and get it.",
  });
  console.log(`Accepted: ${id}, suppressed: ${suppressed.length}`);
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.message, error.fields ?? ""); // for programs: error.type
  process.exitCode = 1;
}
