import { type Client, createClient } from "../../client/src/index.ts";
import type { ClientOptions, Clock } from "../../client/src/options.ts";

export const key = "sk_test_0123456789abcdef";
export const message = {
  from: "shop@mail.example.com",
  to: ["ada@example.com"],
  subject: "Hello",
  text: "Hello Ada",
};
export const accepted = { id: "01JD7Q2M4T8VX3W5", to: ["ada@example.com"], suppressed: [] };

/** A client with a scripted server, a fake clock and no randomness. */
interface TestClient {
  client: Client;
  clock: FakeClock;
  requests: RecordedRequest[];
  /** Advances the clock until a promise is settled. */
  until: FakeClock["until"];
  /** The milliseconds since the client was created. */
  elapsed(): number;
  options: ClientOptions;
}

export function testClient(script: Step[], more: Partial<ClientOptions> = {}): TestClient {
  const clock = createFakeClock();
  const { fetch, requests } = scriptFetch(...script);
  const options = { key, baseUrl: "https://api.example.com", fetch, clock, random: () => 0, ...more };
  const start = clock.Date.now();
  const elapsed = () => clock.Date.now() - start;
  return { client: createClient(options), clock, requests, until: clock.until, elapsed, options };
}

/** The reason that a promise rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error("the promise did not reject");
    },
    (reason: unknown) => reason,
  );

/** How a server handles one request. */
export type Step =
  | { status: number; body?: string; headers?: Record<string, string> }
  /** The connection is refused or breaks. */
  | { cut: string }
  /** No response. */
  | { hang: true }
  /** A response whose body hangs or breaks off. */
  | { status: number; partly: string; end: "hang" | "cut"; headers?: Record<string, string> };

interface RecordedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal;
}

/** A fetch with one step for each request; the last step is for all further requests. */
export function scriptFetch(...script: Step[]): {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  requests: RecordedRequest[];
} {
  const requests: RecordedRequest[] = [];
  return {
    requests,
    async fetch(url, { method = "GET", headers, body, signal }) {
      const step = script[Math.min(requests.length, script.length - 1)];
      requests.push({
        method,
        url,
        headers: { ...(headers as Record<string, string>) },
        body: typeof body === "string" ? body : undefined,
        signal: signal as AbortSignal,
      });
      if (step === undefined) throw new Error("the script is empty");
      return play(step, signal as AbortSignal);
    },
  };
}

function play(step: Step, signal: AbortSignal): Promise<Response> | Response {
  if ("cut" in step) throw Object.assign(new TypeError("fetch failed"), { cause: { code: step.cut } });
  if ("hang" in step)
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  if ("partly" in step)
    return new Response(partly(step), { status: step.status, headers: step.headers ?? {} });
  const { status, body = "", headers = {} } = step;
  return new Response(status === 204 ? null : body, { status, headers });
}

function partly({ partly: text, end }: { partly: string; end: "hang" | "cut" }): ReadableStream<Uint8Array> {
  let isStarted = false;
  return new ReadableStream({
    pull(controller) {
      if (!isStarted) {
        isStarted = true;
        controller.enqueue(new TextEncoder().encode(text));
      } else if (end === "cut") controller.error(new TypeError("terminated"));
      else return new Promise(() => {});
    },
  });
}

/** A success with the required headers. */
export const success = (body: unknown, headers: Record<string, string> = {}, status = 200): Step => ({
  status,
  body: JSON.stringify(body),
  headers: {
    "X-Service-Request-Id": "req_1",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    ...headers,
  },
});

/** An error response. */
export const failure = (
  status: number,
  type: string,
  headers: Record<string, string> = {},
  more: Record<string, unknown> = {},
): Step => ({
  status,
  body: JSON.stringify({ error: { type, message: "It did not work.", request_id: "req_2", ...more } }),
  headers: { "X-Service-Request-Id": "req_2", ...headers },
});

/** A clock that only advances on request, from timer to timer. */
export interface FakeClock extends Clock {
  /** Advances until the promise is settled, and returns it. Fails if no timer is left. */
  until<T>(promise: Promise<T>): Promise<T>;
  advance(milliseconds: number): Promise<void>;
  /** The number of timers. */
  readonly timers: number;
}

export function createFakeClock(start = Date.parse("2027-01-31T09:00:00Z")): FakeClock {
  let time = start;
  let serial = 0;
  const timers = new Map<number, { at: number; act: () => void }>();
  const next = () => [...timers].sort(([one, a], [other, b]) => a.at - b.at || one - other)[0];
  const fire = ([id, { at, act }]: [number, { at: number; act: () => void }]) => {
    timers.delete(id);
    time = Math.max(time, at);
    act();
  };
  return {
    Date: { now: () => time },
    setTimeout(act, milliseconds) {
      // As on the platform, a delay that is too long fires immediately.
      const wait = milliseconds > 2 ** 31 - 1 ? 1 : Math.max(1, milliseconds);
      timers.set(++serial, { at: time + wait, act });
      return serial;
    },
    clearTimeout: (timer: number) => void timers.delete(timer),
    get timers() {
      return timers.size;
    },
    async until(promise) {
      let settled = false;
      const mark = () => {
        settled = true;
      };
      promise.then(mark, mark);
      for (await idle(); !settled; await idle()) {
        const timer = next();
        if (timer === undefined) throw new Error("no timer is left");
        fire(timer);
      }
      return promise;
    },
    async advance(milliseconds) {
      const end = time + milliseconds;
      await idle();
      for (let timer = next(); timer !== undefined && timer[1].at <= end; timer = next()) {
        fire(timer);
        await idle();
      }
      time = end;
    },
  };
}

/** Waits for pending promises. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
