// Sends mail as fast as responses come in, in a process of its own, and reports the result.
import { randomUUID } from "node:crypto";
import autocannon from "autocannon";

/** What is to be sent. */
export interface Load {
  url: string;
  connections: number;
  /** For how many seconds, or how many requests. */
  duration?: number;
  amount?: number;
  /** Whether each request has an idempotency key of its own. */
  keys?: boolean;
  /** Seconds between one scheduled message and the next, from `scheduledFrom` on; sent at once when not given. */
  scheduledEvery?: number;
  scheduledFrom?: number;
}

/** How it went. Times in milliseconds. */
export interface LoadResult {
  requests: number;
  seconds: number;
  p50: number;
  p99: number;
  longest: number;
  /** Answers that were no 2xx, and connections that failed. */
  failed: number;
}

const message = {
  from: "orders@bakery.example",
  to: ["ada@readers.example"],
  subject: "Your order 4711 is on its way",
  html: "<h1>Thank you, Ada</h1><p>Your order <b>4711</b> left our bakery this morning.</p>",
  text: "Thank you, Ada. Your order 4711 left our bakery this morning.",
  tags: { kind: "receipt", order: "4711" },
};

process.on("message", async (load: Load) => process.send?.(await run(load)));

async function run(load: Load): Promise<LoadResult> {
  const { url, connections, duration, amount } = load;
  const headers = { authorization: "Bearer sandbox_all_2f7c", "content-type": "application/json" };
  let sent = 0;
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    sent += 1;
    const own = load.keys ? { ...headers, "idempotency-key": randomUUID() } : headers;
    return { ...request, headers: own, body: JSON.stringify(bodyOf(load, sent)) };
  };
  const varied = load.keys === true || load.scheduledEvery !== undefined;
  const result = await autocannon({
    url: `${url}/api/v1/emails`,
    connections,
    ...(amount === undefined ? { duration: duration ?? 5 } : { amount }),
    method: "POST",
    headers,
    body: JSON.stringify(message),
    ...(varied && { requests: [{ setupRequest }] }),
  });
  const { latency, errors, timeouts } = result;
  return {
    requests: result["2xx"],
    seconds: result.duration,
    p50: latency.p50,
    p99: latency.p99,
    longest: latency.max,
    failed: errors + timeouts + result.non2xx,
  };
}

function bodyOf({ scheduledEvery, scheduledFrom = 0 }: Load, number: number): unknown {
  if (scheduledEvery === undefined) return message;
  const at = new Date(scheduledFrom + number * scheduledEvery * 1_000);
  return { ...message, scheduled_at: at.toISOString() };
}
