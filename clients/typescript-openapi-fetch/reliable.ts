import { reliableFetch, safePath } from "email-api-client/fetch";
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./client.ts";

/** A client with retries, timeouts, idempotency keys, and errors that have a body. */
export const createReliableClient = (baseUrl: string, key: string): Client<paths> =>
  createClient<paths>({
    baseUrl,
    headers: { Accept: "application/json" },
    fetch: reliableFetch({ key }),
    pathSerializer: safePath,
  });
