import { ApiError, createClient } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: "https://api.example.com",
});

try {
  const account = await client.me();
  console.log(account); // its fields are unspecified
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.message); // error.type is "unauthorized" for an invalid key
  process.exitCode = 1;
}
