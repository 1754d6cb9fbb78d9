import { ApiError, createClient } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: "https://api.example.com",
});

try {
  const { fields } = await client.newsletter.fields();
  for (const { key, label, type } of fields) console.log(key, label, type);
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.message); // for programs: error.type
  process.exitCode = 1;
}
