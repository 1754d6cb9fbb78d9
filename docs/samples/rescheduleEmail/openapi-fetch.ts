import { type paths, reliableFetch, safePath, strict } from "email-api-client/fetch";
import createClient from "openapi-fetch";

const api = strict<paths>(
  createClient<paths>({
    baseUrl: "https://api.example.com",
    fetch: reliableFetch({ key: process.env.EMAIL_API_KEY ?? "" }),
    pathSerializer: safePath,
  }),
);
const inTwoHours = new Date(Date.now() + 2 * 60 * 60 * 1000).toISOString();

const { data, error, response } = await api.PATCH("/api/v1/emails/{id}", {
  params: { path: { id: "sched_01JD7Q9V5N3K8R" } },
  body: { scheduled_at: inTwoHours },
});
if (data) console.log(`Scheduled for ${inTwoHours}`);
else {
  console.error(response.status, error.error.type, error.error.message);
  process.exitCode = 1;
}
