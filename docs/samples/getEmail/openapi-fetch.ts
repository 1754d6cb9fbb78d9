import { type paths, reliableFetch, safePath, strict } from "email-api-client/fetch";
import createClient from "openapi-fetch";

const api = strict<paths>(
  createClient<paths>({
    baseUrl: "https://api.example.com",
    fetch: reliableFetch({ key: process.env.EMAIL_API_KEY ?? "" }),
    pathSerializer: safePath,
  }),
);

const { data, error, response } = await api.GET("/api/v1/emails/{id}", {
  params: { path: { id: "sched_01JD7Q9V5N3K8R" } },
});
if (data) console.log(data.status, data.status_description);
else {
  console.error(response.status, error.error.type, error.error.message);
  process.exitCode = 1;
}
