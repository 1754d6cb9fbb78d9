import { makeWork, type Work } from "./work.ts";

/** What the callers do it with. */
export interface Calling {
  url: string;
  /** The time by the clock of the server. */
  now(): number;
  random(): number;
  /** The number of the next piece of work. */
  nextNumber(): number;
  /** Work of earlier rounds without a response, or repeated to compare the responses. */
  again: Work[];
  /** Called with each piece of new work before it is sent. */
  started(work: Work): void;
  signal: AbortSignal;
}

const callers = 12;

/** The clock of the server moves on fast. */
const ahead = { least: 60_000, most: 120_000 };

/** A response that no request should get. */
export class UnexpectedResponse extends Error {
  readonly status: number;

  constructor(what: string, status: number, body: string) {
    super(`${what} got ${status}: ${body}`);
    this.status = status;
  }
}

/** Sends work from several callers at once until the server is gone. */
export async function call(calling: Calling): Promise<void> {
  await Promise.all(Array.from({ length: callers }, () => oneCaller(calling)));
}

async function oneCaller(calling: Calling): Promise<void> {
  try {
    while (!calling.signal.aborted) {
      const repeated = calling.again.pop();
      const work = repeated ?? makeWork(calling.nextNumber(), calling.random, calling.now(), ahead);
      if (repeated === undefined) calling.started(work);
      await send(calling, work);
      if (work.ids?.length === 1 && work.body.includes("scheduled_at") && calling.random() < 0.2) {
        await cancel(calling, work);
      }
    }
  } catch (error) {
    // The connection to a killed server breaks: the result of that request is unknown.
    if (!(error instanceof TypeError) && !calling.signal.aborted) throw error;
  }
}

const headers = { authorization: "Bearer sandbox_all_2f7c", "content-type": "application/json" };

type Target = Pick<Calling, "url" | "signal">;

/** Sends it once, and notes the response. */
export async function send({ url, signal }: Target, work: Work): Promise<void> {
  const { key, path, body } = work;
  const named = { ...headers, "idempotency-key": key };
  const response = await fetch(url + path, { method: "POST", headers: named, body, signal });
  const text = await response.text();
  if (response.status === 422 && work.ids === undefined) {
    work.rejected = true;
    return;
  }
  if (response.status !== 202) throw new UnexpectedResponse(key, response.status, text);
  const sent: { id?: string; data?: { id: string }[] } = JSON.parse(text);
  const ids = sent.data?.map((entry) => entry.id) ?? [String(sent.id)];
  if (work.ids !== undefined && work.ids.join() !== ids.join()) {
    throw new Error(`${key} got ${work.ids} first, and ${ids} when it was repeated`);
  }
  work.ids = ids;
}

/** Cancels its message. */
export async function cancel({ url, signal }: Target, work: Work): Promise<void> {
  const response = await fetch(`${url}/api/v1/emails/${work.ids?.[0]}`, {
    method: "DELETE",
    headers,
    signal,
  });
  const text = await response.text();
  if (response.status === 200) work.canceled = true;
  else if (response.status !== 409) throw new UnexpectedResponse("canceling", response.status, text);
}
