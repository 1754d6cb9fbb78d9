import type { SiteAnswer } from "../../sandbox/control/answer.ts";
import { createFailures, type Failures } from "../../sandbox/control/failures.ts";
import type { Message } from "../../sandbox/domain/records.ts";
import type { Store } from "../../sandbox/domain/store.ts";
import { createGateway, type GatewayServices } from "../../sandbox/gateway.ts";
import { compose } from "../../sandbox/mail/compose.ts";
import { createDirectory } from "../../sandbox/seed/directory.ts";
import { loadSeed } from "../../sandbox/seed/load.ts";
import { plantSeed } from "../../sandbox/seed/plant.ts";
import { openStore } from "../../sandbox/store/sqlite.ts";
import { createClock } from "../../sandbox/time/clock.ts";
import { numberIn } from "./store/numbers.ts";

export const startedAt = Date.parse("2026-11-21T10:00:00Z");

/** What stands around the API, on a store in memory that holds the demo seed, at a clock that stands still. */
export interface TestFront {
  parts: GatewayServices;
  store: Store;
  failures: Failures;
  ask(method: string, target: string, more?: Asked): Promise<SiteAnswer>;
  /** The same, with the JSON of the answer. */
  json(method: string, target: string, body?: unknown): Promise<{ status: number; body: Json }>;
}

export interface Asked {
  body?: string | Uint8Array;
  headers?: Record<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely, and fail where something is not there
type Json = any;

export async function testFront(
  how: Partial<Pick<GatewayServices, "exposed" | "control">> = {},
): Promise<TestFront> {
  const seed = await loadSeed();
  const store = openStore({ numberIn });
  const clock = createClock({ store, frozen: true, startAt: startedAt });
  const failures = createFailures();
  let directory = createDirectory(seed, await plantSeed(store, seed, clock.now()));
  const parts: GatewayServices = {
    directory: () => directory,
    store,
    clock,
    outbox: { eml: compose },
    failures,
    reset: async () => {
      await store.reset();
      clock.reset();
      failures.clear();
      directory = createDirectory(seed, await plantSeed(store, seed, clock.now()));
    },
    exposed: false,
    control: false,
    ...how,
  };
  const front = createGateway(parts);
  const ask: TestFront["ask"] = async (method, target, { body, headers = {} } = {}) => {
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : (body ?? null);
    const answer = await front({
      method,
      target,
      headers: { host: "127.0.0.1:4020", ...headers },
      body: bytes,
    });
    if (answer === undefined) throw new Error(`nothing is at ${target}`);
    return answer;
  };
  return {
    parts,
    store,
    failures,
    ask,
    json: async (method, target, body) => {
      const answer = await ask(method, target, body === undefined ? {} : { body: JSON.stringify(body) });
      return { status: answer.status, body: JSON.parse(String(answer.body)) };
    },
  };
}

/** A message as the API takes it, put into the store. */
export async function put(store: Store, given: Partial<Message>): Promise<Message> {
  const message: Message = { ...plainMessage, ...given };
  await store.accept({
    accountId: message.accountId,
    now: message.createdAt,
    recipients: [],
    idempotency: null,
    decide: () => ({ messages: [message], counted: 0, response: { status: 202, body: "" } }),
  });
  return message;
}

const plainMessage: Message = {
  id: "msg_1",
  accountId: "bakery",
  from: "orders@bakery.example",
  to: ["ada@readers.example"],
  cc: [],
  bcc: [],
  tags: {},
  content: {
    subject: "Your order",
    html: "<p>It is ready.</p>",
    text: "It is ready.",
    reply_to: null,
    headers: {},
    attachments: [],
  },
  status: "delivered",
  createdAt: startedAt,
  scheduledAt: null,
  sentAt: startedAt,
  deliveredAt: startedAt,
  bouncedAt: null,
  complainedAt: null,
  bounce: null,
  events: [{ type: "sent", at: startedAt, detail: null }],
  dueAt: null,
};
