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

/** Sends work from several callers at once until the server is gone. */
export async function call(calling: Calling): Promise<void> {
  await Promise.all(Array.from({ length: callers }, () => oneCaller(calling)));
}

async function oneCaller(calling: Calling): Promise<void> {
  try {
    while (!calling.signal.aborted) {
      const repeated = calling.again.pop();
      const work = repeated ?? makeWork(calling.nextNumber(), calling.random, calling.now());
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

async function send({ url, signal }: Calling, work: Work): Promise<void> {
  const { key, path, body } = work;
  const named = { ...headers, "idempotency-key": key };
  const response = await fetch(url + path, { method: "POST", headers: named, body, signal });
  const sent = (await response.json()) as { id?: string; data?: { id: string }[] };
  if (response.status === 422 && work.ids === undefined) {
    work.rejected = true;
    return;
  }
  if (response.status !== 202) throw new Error(`${key} got ${response.status}: ${JSON.stringify(sent)}`);
  const ids = sent.data?.map((entry) => entry.id) ?? [String(sent.id)];
  if (work.ids !== undefined && work.ids.join() !== ids.join()) {
    throw new Error(`${key} got ${work.ids} first, and ${ids} when it was repeated`);
  }
  work.ids = ids;
}

async function cancel({ url, signal }: Calling, work: Work): Promise<void> {
  const response = await fetch(`${url}/api/v1/emails/${work.ids?.[0]}`, {
    method: "DELETE",
    headers,
    signal,
  });
  await response.text();
  if (response.status === 200) work.canceled = true;
  else if (response.status !== 409) throw new Error(`canceling got ${response.status}`);
}
