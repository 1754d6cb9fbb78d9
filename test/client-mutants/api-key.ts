import type { CallError } from "../../contract/client-suite/driver/protocol.ts";
import { type ClientMutant, violating } from "./client-mutant.ts";
import type { ClientContext, ReceivedResponse, Send, SentRequest } from "./difference.ts";
import { withHeaders } from "./requests.ts";

const auth6 = violating("AUTH-6");

/** The key in a further place of each request. */
const adds = (title: string, header: string, value: (key: string) => string): ClientMutant =>
  auth6.sends(title, (request, { key }) => withHeaders(request, { [header]: value(key) }));

/** A redirect that is followed with the API key. */
const follows = (title: string, statuses: number[], change: (request: SentRequest) => Partial<SentRequest>) =>
  auth6.transmits(title, async (request, next) => {
    const response = await next(request);
    const location = response.headers.get("location");
    if (!statuses.includes(response.status) || location === null) return response;
    return next({ ...request, ...change(request), url: new URL(location, request.url).href });
  });

const asGet = (request: SentRequest): Partial<SentRequest> => ({
  method: "GET",
  body: undefined,
  ...withHeaders(request, { "content-type": undefined }),
});

/** Writes the key to standard error at some point of a request. */
const logs = (
  title: string,
  log: (
    context: ClientContext,
    request: SentRequest,
    send: () => ReturnType<Send>,
  ) => Promise<ReceivedResponse>,
): ClientMutant =>
  auth6.transmits(title, (request, next, context) => log(context, request, () => next(request)));

/** The key in the message of one kind of error. */
const showsInErrors = (title: string, kind: CallError["kind"]): ClientMutant =>
  auth6.mutant(title, ({ key }) => ({
    call: async (call, next) => {
      const reply = await next(call);
      if (!("error" in reply) || reply.error.kind !== kind) return reply;
      return {
        error: { ...reply.error, message: `${reply.error.message} { authorization: "Bearer ${key}" }` },
      };
    },
  }));

/** Where the API key appears. */
export const apiKeyMutants = [
  auth6.sends("sends the API key in the query", ({ url }, { key }) => ({ url: `${url}?api_key=${key}` })),
  auth6.sends("sends the API key in the query of lookups", ({ url, method }, { key }) =>
    method === "GET" ? { url: `${url}?access_token=${key}` } : undefined,
  ),
  auth6.sends("sends the API key in the body", ({ body }, { key }) =>
    body === undefined ? undefined : { body: JSON.stringify({ ...JSON.parse(`${body}`), api_key: key }) },
  ),
  auth6.sends("sends the API key as user information of the URL, and as the referrer", (request, { key }) =>
    withHeaders(request, { referer: request.url.replace("//", `//${key}@`) }),
  ),
  adds("sends the API key in X-API-Key too", "x-api-key", (key) => key),
  adds("sends the API key in its user agent", "user-agent", (key) => `email-client/1.0 (${key})`),
  adds("sends the API key as a cookie", "cookie", (key) => `session=${key}`),
  adds("sends the API key as the id of the request", "x-request-id", (key) => `${key}-1`),

  follows("follows a 302 with the API key", [302], asGet),
  follows("follows a 301 with the API key", [301], asGet),
  follows("follows a 303 with the API key", [303], asGet),
  follows("follows a 307 with the API key", [307], () => ({})),
  follows("follows a 308 with the API key", [308], () => ({})),
  follows("follows redirects with the API key in X-API-Key", [301, 302, 303, 307, 308], (request) =>
    withHeaders(request, { "x-api-key": request.headers.authorization, authorization: undefined }),
  ),

  auth6.mutant("shows the API key when the client is printed", ({ key }) => ({
    capabilities: { printed: `Client { key: '${key}' }` },
  })),
  showsInErrors("shows the API key in errors of the service", "response"),
  showsInErrors("shows the API key in errors of the connection", "connection"),
  showsInErrors("shows the API key in errors of a timeout", "timeout"),
  logs("logs each request with its headers", (context, { headers }, send) => {
    context.log(JSON.stringify(headers));
    return send();
  }),
  logs("logs each failed request as a curl command", async (context, { method, url, headers }, send) => {
    const response = await send();
    if (response.status >= 400)
      context.log(`curl -X ${method} -H 'Authorization: ${headers.authorization}' ${url}`);
    return response;
  }),
  logs("logs the headers of a request without a response", async (context, { headers }, send) => {
    try {
      return await send();
    } catch (error) {
      context.log(JSON.stringify(headers));
      throw error;
    }
  }),
  auth6.mutant("logs the API key after it has returned", ({ key, log }) => ({
    call: async (call, next) => {
      const reply = await next(call);
      setTimeout(() => log(`Authorization: Bearer ${key}`), 1).unref();
      return reply;
    },
  })),
];
