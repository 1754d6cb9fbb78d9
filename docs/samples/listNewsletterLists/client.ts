import { ApiError, createClient } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: "https://api.example.com",
});

try {
  const { lists } = await client.newsletter.lists();
  for (const { id, name, double_opt_in } of lists)
    console.log(id, name, double_opt_in ? "double opt-in" : "single opt-in");
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.message); // for programs: error.type
  process.exitCode = 1;
}
