import { ApiError, createClient, fieldsByMessage } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: "https://api.example.com",
});
const ready = { from: "hello@bakery.example", subject: "Your order is ready" };

try {
  const { data } = await client.emails.batch.send([
    { ...ready, to: ["ada@readers.example"], text: "Come and get it, Ada." },
    { ...ready, to: ["grace@readers.example"], text: "Come and get it, Grace." },
  ]);
  for (const { id } of data) console.log(id);
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.message); // no message was sent
  for (const [index, fields] of fieldsByMessage(error)) console.error(index, fields);
  process.exitCode = 1;
}
