import { type paths, reliableFetch, safePath, strict } from "email-api-client/fetch";
import createClient from "openapi-fetch";

const api = strict<paths>(
  createClient<paths>({
    baseUrl: "https://api.example.com",
    fetch: reliableFetch({ key: process.env.EMAIL_API_KEY ?? "" }),
    pathSerializer: safePath,
  }),
);
const ready = { from: "hello@bakery.example", subject: "Your order is ready" };

const { data, error, response } = await api.POST("/api/v1/emails/batch", {
  body: {
    emails: [
      { ...ready, to: ["ada@readers.example"], text: "Come and get it, Ada." },
      { ...ready, to: ["grace@readers.example"], text: "Come and get it, Grace." },
    ],
  },
});
if (data) for (const { id } of data.data) console.log(id);
else {
  console.error(response.status, error.error.type, error.error.fields ?? error.error.message);
  process.exitCode = 1;
}
