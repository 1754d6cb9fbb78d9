import { setTimeout as wait } from "node:timers/promises";

/** A request that is repeated with its idempotency key until there is a response, and what its client knows about it. */
export interface Work {
  /** The idempotency key. The tag `work` of each message begins with it. */
  key: string;
  path: string;
  body: string;
  /** The ids in its response. */
  ids?: string[];
  /** Whether the cancellation of its message was confirmed. */
  canceled?: true;
}

/** Numbers from 0 to 1, the same ones for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Clients {
  /** The URL of an instance that listens; undefined without one. */
  url(): string | undefined;
  random(): number;
  works: Work[];
  /** No new work from then on: clients end once all of theirs has a response. */
  signal: AbortSignal;
}

const number = 8;

/** How long a request may take, in milliseconds. */
const responseTimeout = 20_000;

/** Sends, repeats and cancels messages as several clients, each until it gets a response. */
export async function runClients(clients: Clients): Promise<void> {
  await Promise.all(Array.from({ length: number }, () => runClient(clients)));
}

async function runClient({ url, random, works, signal }: Clients): Promise<void> {
  const untilDone = async (request: (base: string) => Promise<void>): Promise<void> => {
    while (!(await hasResponse(url(), request))) await wait(20 + random() * 50);
  };
  while (!signal.aborted) {
    const repeated = random() < 0.1 ? works[Math.floor(random() * works.length)] : undefined;
    const work = repeated ?? newWork(works.length, random);
    if (repeated === undefined) works.push(work);
    await untilDone((base) => send(base, work));
    const isScheduled = work.ids?.length === 1 && work.body.includes("scheduled_at");
    if (isScheduled && random() < 0.2) await untilDone((base) => cancel(base, work));
  }
}

/** A message, a scheduled one, or a batch of three. */
function newWork(index: number, random: () => number): Work {
  const key = `work-${index}`;
  const message = (place: number) => ({
    from: "orders@bakery.example",
    to: [random() < 0.2 ? "bounce@simulator.example" : "ada@customers.example"],
    ...{ subject: "Your order", text: "It is ready.", tags: { work: `${key}.${place}` } },
  });
  const kind = random();
  if (kind < 0.1)
    return { key, path: "/api/v1/emails/batch", body: JSON.stringify({ emails: [0, 1, 2].map(message) }) };
  const scheduled_at = new Date(Date.now() + 1_000 + random() * 4_000).toISOString();
  const body = { ...message(0), ...(kind < 0.5 && { scheduled_at }) };
  return { key, path: "/api/v1/emails", body: JSON.stringify(body) };
}

/** @returns false if the instance was killed, or could not use its database */
async function hasResponse(
  url: string | undefined,
  request: (base: string) => Promise<void>,
): Promise<boolean> {
  if (url === undefined) return false;
  try {
    await request(url);
    return true;
  } catch (error) {
    if (error instanceof TypeError || (error instanceof UnexpectedResponse && error.status === 503))
      return false;
    throw error;
  }
}

class UnexpectedResponse extends Error {
  readonly status: number;

  constructor(what: string, status: number, body: string) {
    super(`${what} got ${status}: ${body}`);
    this.status = status;
  }
}

const headers = { authorization: "Bearer sandbox_all_2f7c", "content-type": "application/json" };

async function send(base: string, work: Work): Promise<void> {
  // A scheduled time may be over when the request is repeated: only a replay accepts it.
  const { key, path, body } = work;
  const response = await fetch(base + path, {
    ...{ method: "POST", headers: { ...headers, "idempotency-key": key }, body },
    signal: AbortSignal.timeout(responseTimeout),
  });
  const text = await response.text();
  if (response.status === 422 && work.ids === undefined) return;
  if (response.status !== 202) throw new UnexpectedResponse(key, response.status, text);
  const sent: { id?: string; data?: { id: string }[] } = JSON.parse(text);
  const ids = sent.data?.map(({ id }) => id) ?? [String(sent.id)];
  if (work.ids !== undefined && work.ids.join() !== ids.join())
    throw new Error(`${key} got ${work.ids} first, and ${ids} when it was repeated`);
  work.ids = ids;
}

async function cancel(base: string, work: Work): Promise<void> {
  const response = await fetch(`${base}/api/v1/emails/${work.ids?.[0]}`, {
    ...{ method: "DELETE", headers, signal: AbortSignal.timeout(responseTimeout) },
  });
  const text = await response.text();
  // It was sent or canceled before.
  if (response.status === 409) return;
  if (response.status !== 200) throw new UnexpectedResponse(`DELETE ${work.key}`, response.status, text);
  work.canceled = true;
}
