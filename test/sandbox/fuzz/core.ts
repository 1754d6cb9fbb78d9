import type { ApiRequest } from "../../../sandbox/api/context.ts";
import { pathOf } from "../../../sandbox/api/paths.ts";
import { type App, createApp } from "../../../sandbox/app.ts";
import { createDirectory } from "../../../sandbox/seed/directory.ts";
import { filledAt, initialState, loadSeed } from "../../../sandbox/seed/load.ts";
import { createServices } from "../../../sandbox/service.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";
import { createClock } from "../../../sandbox/time/clock.ts";
import { checkResponse } from "../responses.ts";
import { keys, minute, start } from "../rig.ts";

/** The API without a socket, which validates each response against the contract and reports internal errors. */
export interface Core {
  /** @returns the status */
  send(request: ApiRequest): Promise<number>;
  count(): number;
  close(): Promise<void>;
}

/** How many calls are made before the clock moves on by a minute, so that the rate limit lets them in. */
const perMinute = 40;

/** Puts the API together without a socket. */
export async function openCore(): Promise<Core> {
  const store = new MemoryStore();
  const clock = createClock({ store, frozen: true, startAt: start });
  const seed = await loadSeed();
  await store.fill(initialState(seed, start, clock.atStart()));
  const directory = createDirectory(seed, filledAt(store));
  const failures: unknown[] = [];
  const parts = createServices({ onError: (error) => failures.push(error) }, { store, clock, directory });
  const app = createApp(parts);
  let count = 0;
  const handle = async (request: ApiRequest): Promise<{ status: number; body: string }> => {
    count += 1;
    if (count % perMinute === 0) await clock.advance(minute);
    const { status, headers, body } = await app.handle(request);
    const path = pathOf(request.target);
    checkResponse({ method: request.method, path, status, headers: lowered(headers), text: body });
    if (failures.length > 0) throw failures[0];
    return { status, body };
  };
  return {
    async send(request) {
      const { status, body } = await handle(request);
      if (status === 202) await lookUp(handle, request, body);
      return status;
    },
    count: () => count,
    close: () => store.close(),
  };
}

/** What was taken can be looked up, and its record holds too. */
async function lookUp(
  handle: App["handle"] | ((request: ApiRequest) => Promise<{ status: number }>),
  { headers }: ApiRequest,
  body: string,
): Promise<void> {
  const parsed = JSON.parse(body) as { id?: string; data?: { id: string }[] };
  const id = parsed.id ?? parsed.data?.[0]?.id ?? "";
  const found = await handle({ method: "GET", target: `/api/v1/emails/${id}`, headers, body: null });
  if (found.status !== 200 && found.status !== 429)
    throw new Error(`${id} was taken and is not there: ${found.status}`);
}

/** Headers of a call with a key. */
export const bearer = (key: string = keys.all): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  "content-type": "application/json",
});

const lowered = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
