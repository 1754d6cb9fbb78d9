import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import pLimit from "p-limit";
import { pathOf } from "../../../sandbox/api/paths.ts";
import { startServer } from "../../bench/child.ts";
import { exchange, parse } from "../http/raw.ts";
import { checkResponse, type SeenResponse } from "../responses.ts";
import { keys, minute } from "../rig.ts";
import { largeRequests } from "./large-requests.ts";
import { bend, goodBodies, key, malformed, method, name, target, value } from "./values.ts";

/** A well-formed request with any content. */
interface Sent {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

const seed = Number(process.env.FUZZ_SEED ?? 20_260_310);

/** What can stand in a first line and in a header without making another of it. */
const printable = (given: string): string => encodeURI(given.toWellFormed()).replaceAll(/[ \r\n]/g, "%20");

const idempotency = fc.option(fc.constantFrom("a", "b", "", "k".repeat(256), "k".repeat(257)), { nil: "" });
const places = fc.array(fc.nat({ max: 12 }), { maxLength: 4 });
const bends = fc.array(fc.tuple(places, value, name), { minLength: 1, maxLength: 3 });

/** Bodies that are accepted but for one to three values. */
const bent = fc
  .tuple(fc.constantFrom(...goodBodies), bends, key, idempotency)
  .map(([[httpMethod, path, good], changes, used, named]): Sent => {
    const body = changes.reduce((whole, [place, change, added]) => bend(whole, place, change, added), good);
    const headers = headersOf(used, { "idempotency-key": named });
    return { method: httpMethod, target: path, headers, body: Buffer.from(JSON.stringify(body) ?? "") };
  });

/** Bodies that are hardly JSON. */
const broken = fc
  .tuple(
    fc.constantFrom(...goodBodies),
    fc.nat({ max: 200 }),
    fc.nat({ max: 9 }),
    fc.uint8Array({ maxLength: 9 }),
  )
  .map(([[httpMethod, path, good], from, length, bytes]): Sent => {
    const whole = Buffer.from(JSON.stringify(good));
    const body = Buffer.concat([whole.subarray(0, from), bytes, whole.subarray(from + length)]);
    return { method: httpMethod, target: path, headers: headersOf(keys.all), body };
  });

/** Input of the control API, with the right and with other fields. */
const control = fc
  .tuple(
    fc.constantFrom("confirm", "suppress", "unsuppress", "outbox", "requests", "failures", "nothing"),
    fc.constantFrom("GET", "POST", "PUT"),
    fc.dictionary(fc.constantFrom("email", "list_id", "account", "reason", "limit", "__proto__"), value),
  )
  .filter(([path, httpMethod]) => path !== "failures" || httpMethod === "GET")
  .map(([path, httpMethod, input]): Sent => {
    const body = Buffer.from(JSON.stringify(input));
    return { method: httpMethod, target: `/sandbox/${path}`, headers: {}, body };
  });

const otherHeaders = fc.dictionary(
  fc.constantFrom("content-type", "idempotency-key", "x-http-method-override", "accept", "cookie", "range"),
  fc.string({ maxLength: 40 }),
  { noNullPrototype: true },
);

/** Any method on any target with any headers. */
const misdirected = fc
  .tuple(method, target, key, otherHeaders, fc.option(fc.uint8Array({ maxLength: 40 })))
  .map(([httpMethod, where, used, more, body]): Sent => {
    const path = where.startsWith("/") ? printable(where) : `/api/v1/${printable(where)}`;
    return {
      method: httpMethod === "" ? "GET" : httpMethod,
      target: path,
      headers: headersOf(used, more),
      body: body === null ? null : Buffer.from(body),
    };
  });

function headersOf(used: string, more: Record<string, string> = {}): Record<string, string> {
  const all = { authorization: `Bearer ${used}`, "content-type": "application/json", ...more };
  return Object.fromEntries(
    Object.entries(all)
      .map(([header, given]) => [header, given.replaceAll(/[^\x20-\x7e]/g, "?")] as const)
      .filter(([, given]) => given !== ""),
  );
}

/** What a server tells: its largest memory in bytes, its CPU time in milliseconds, and its own errors. */
interface State {
  peak: number;
  cpu: number;
  errors: string[];
}

async function startAttacked() {
  const server = await startServer(new URL("server.ts", import.meta.url).pathname);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const complete = (sent: Sent) => send(server.url, agent, sent);
  for (const sent of warmUp) await complete(sent);
  return {
    url: server.url,
    complete,
    /** Advances the clock by a minute: the rate limit lets in as many requests again. */
    state: () => server.ask<State>({ advance: minute }),
    async stop() {
      agent.destroy();
      await server.stop();
    },
  };
}

/**
 * Sends requests of all kinds, and checks every response.
 *
 * @returns how many were rejected, all statuses, the slowest response in milliseconds, and the memory above idle in bytes
 */
export async function attack(amount: number) {
  const { url, complete, state, stop } = await startAttacked();
  const idle = (await state()).peak;
  const statuses = new Set<number>();
  let [rejected, slowest] = [0, 0];
  const timed = async (work: Promise<number>): Promise<void> => {
    const start = performance.now();
    const status = await work;
    statuses.add(status);
    if (status >= 400) rejected += 1;
    slowest = Math.max(slowest, performance.now() - start);
  };
  const all = async <Case>(
    cases: fc.Arbitrary<Case>,
    share: number,
    work: (one: Case) => Promise<number>,
  ) => {
    const sample = fc.sample(cases, { numRuns: Math.ceil(amount * share), seed });
    const limit = pLimit(8);
    for (let at = 0; at < sample.length; at += 100) {
      await Promise.all(sample.slice(at, at + 100).map((one) => limit(() => timed(work(one)))));
      await state();
    }
  };
  try {
    await all(bent, 0.52, complete);
    await all(broken, 0.1, complete);
    await all(misdirected, 0.2, complete);
    await all(control, 0.03, complete);
    await all(malformed, 0.15, (bytes) => connect(url, bytes));
    const { peak, errors } = await state();
    return { statuses, rejected, slowest, memory: peak - idle, errors };
  } finally {
    await stop();
  }
}

/** Sends each large request to a server of its own, and measures CPU time in milliseconds and memory above idle in bytes. CPU time does not depend on what else the machine does, as the time of a response does. */
export async function costsOfLarge(bytes: number) {
  const costs: { name: string; cpu: number; memory: number; errors: string[] }[] = [];
  for (const { name, path, body } of largeRequests(bytes)) {
    const { complete, state, stop } = await startAttacked();
    try {
      const idle = await state();
      const headers = headersOf(keys.all, { "idempotency-key": "large" });
      await complete({ method: "POST", target: path, headers, body });
      const { peak, cpu, errors } = await state();
      costs.push({ name, cpu: cpu - idle.cpu, memory: peak - idle.peak, errors });
    } finally {
      await stop();
    }
  }
  return costs;
}

/** The requests before the memory of an idle sandbox is read. */
const warmUp = goodBodies.map(
  ([httpMethod, path, body]): Sent => ({
    method: httpMethod,
    target: path,
    headers: headersOf(keys.all),
    body: Buffer.from(JSON.stringify(body)),
  }),
);

/** Sends a request, checks the response against the contract, and returns its status. */
async function send(url: string, agent: Agent, sent: Sent): Promise<number> {
  const { method: httpMethod, target: path, headers, body } = sent;
  const length = body === null ? {} : { "content-length": String(body.length) };
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const outgoing = request(url, { method: httpMethod, path, headers: { ...headers, ...length }, agent });
  outgoing.on("error", reject);
  outgoing.on("response", (response) => {
    const status = response.statusCode ?? 0;
    text(response)
      .then((read) => {
        if (httpMethod === "HEAD") return status;
        const received = response.headers as Record<string, string>;
        check({
          method: httpMethod.toUpperCase(),
          path: pathOf(path),
          status,
          headers: received,
          text: read,
        });
        return status;
      })
      .then(resolve, reject);
  });
  outgoing.end(body ?? undefined);
  return promise;
}

/** Writes bytes on a connection of their own. Whatever is not a success is in the error shape, or the connection closes. */
async function connect(url: string, bytes: Buffer): Promise<number> {
  const response = parse((await exchange(url, bytes, false)).replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, ""));
  if (response === null) return 400;
  const { status, headers, text: read } = response;
  const isHead = bytes.subarray(0, 5).equals(Buffer.from("HEAD "));
  if (status < 400 || isHead) return status;
  const [, path = ""] = String(bytes).split(" ", 2);
  if (pathOf(path).startsWith("/api/") || !isOfSite(response)) {
    const { error } = JSON.parse(read);
    const isShape = typeof error.type === "string" && typeof error.message === "string";
    if (status >= 500 || !isShape || error.request_id !== headers["x-service-request-id"])
      throw new Error(`${JSON.stringify(String(bytes))} got ${status} ${read}`);
  }
  return status;
}

/** Whether a response is one of the control API or the pages. */
const isOfSite = ({ headers }: Pick<SeenResponse, "headers">): boolean =>
  headers["x-service-request-id"] === undefined;

/** Checks a response against the contract; one of the control API and the pages says what to do instead. */
function check(response: SeenResponse): void {
  const { path, status, text: read } = response;
  if (path.startsWith("/api/") || !isOfSite(response)) checkResponse(response);
  else if (status >= 500 || (status >= 400 && typeof JSON.parse(read).error.hint !== "string"))
    throw new Error(`${path} got ${status} ${read}`);
}
