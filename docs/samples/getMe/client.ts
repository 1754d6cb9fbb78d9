import { ApiError, createClient } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: "https://api.example.com",
});

try {
  const account = await client.me();
  console.log(account); // which fields it has is not specified
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.message); // error.type is "unauthorized" for a key that does not work
  process.exitCode = 1;
}
