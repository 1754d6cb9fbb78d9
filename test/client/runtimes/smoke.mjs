// What every runtime must support, with the packed client. Plain JavaScript, which runs anywhere.
import { ApiError, attach, createClient, createLimiter, TimeoutError } from "email-api-client";
import { reliableFetch } from "email-api-client/fetch";

const message = {
  from: "hello@bakery.example",
  to: ["ada@readers.example"],
  subject: "Hello",
  text: "Hello Ada",
};

/** Uses the client with a sandbox whose next response is lost, and a server that never responds. Returns the results. */
export async function smoke({ key, baseUrl, silentUrl }) {
  const client = createClient({ key, baseUrl, onEvent: createLimiter() });
  const file = await attach(new Blob(["hello"], { type: "text/plain" }), { filename: "hello.txt" });
  const lost = await client.emails.send({ ...message, attachments: [file] }).withResponse();
  const batch = await client.emails.batch.sendAll(Array.from({ length: 130 }, () => message));
  const missing = await client.emails.get("no-such-id").catch((error) => error);
  const silent = createClient({ key, baseUrl: silentUrl });
  const late = await silent.me({ attemptTimeout: 50, attempts: 1 }).catch((error) => error);
  const gone = await silent.me({ signal: AbortSignal.timeout(50) }).catch((error) => error.name);
  const fetched = await reliableFetch({ key })(`${baseUrl}/api/v1/me`);
  return {
    replayed: lost.replayed,
    attempts: lost.attempts,
    accepted: batch.accepted,
    missing: missing instanceof ApiError && missing.type,
    late: late instanceof TimeoutError && late.attempts,
    gone,
    fetched: fetched.status,
    shown: JSON.stringify([client, missing]).includes(key),
  };
}
