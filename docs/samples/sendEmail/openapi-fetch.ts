import { type paths, reliableFetch, safePath, strict } from "email-api-client/fetch";
import createClient from "openapi-fetch";

const api = strict<paths>(
  createClient<paths>({
    baseUrl: "https://api.example.com",
    fetch: reliableFetch({ key: process.env.EMAIL_API_KEY ?? "" }),
    pathSerializer: safePath,
  }),
);

const { data, error, response } = await api.POST("/api/v1/emails", {
  body: {
    from: "hello@bakery.example",
    to: ["ada@readers.example"],
    subject: "Your bread is ready",
    html: "<p>Come and get it.</p>",
    text: "Come and get it.",
  },
});
if (data) console.log(`Accepted: ${data.id}, suppressed: ${data.suppressed.length}`);
else {
  console.error(response.status, error.error.type, error.error.fields ?? error.error.message);
  process.exitCode = 1;
}
