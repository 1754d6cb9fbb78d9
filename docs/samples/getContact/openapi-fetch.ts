import { type paths, reliableFetch, safePath, strict } from "email-api-client/fetch";
import createClient from "openapi-fetch";

const api = strict<paths>(
  createClient<paths>({
    baseUrl: "https://api.example.com",
    fetch: reliableFetch({ key: process.env.EMAIL_API_KEY ?? "" }),
    pathSerializer: safePath,
  }),
);

const { data, error, response } = await api.GET("/api/v1/newsletter/contacts/{email}", {
  params: { path: { email: "subscribed@readers.example" } },
});
if (data) for (const { list_id, status } of data.lists) console.log(list_id, status);
else {
  console.error(response.status, error.error.type, error.error.message);
  process.exitCode = 1;
}
