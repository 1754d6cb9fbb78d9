import { type paths, reliableFetch, safePath, strict } from "email-api-client/fetch";
import createClient from "openapi-fetch";

const api = strict<paths>(
  createClient<paths>({
    baseUrl: "https://api.example.com",
    fetch: reliableFetch({ key: process.env.EMAIL_API_KEY ?? "" }),
    pathSerializer: safePath,
  }),
);

const { data, error, response } = await api.POST("/api/v1/newsletter/contacts", {
  body: {
    email: "grace@readers.example",
    list_id: 1,
    first_name: "Grace",
    fields: { city: "Leeds" },
    consent: { detail: "Ticked the box at the counter on 31 January" },
  },
});
if (data) console.log(data.email, data.status);
else {
  console.error(response.status, error.error.type, error.error.fields ?? error.error.message);
  process.exitCode = 1;
}
