import type { ApiRequest } from "../../../sandbox/api/context.ts";
import { createRecentRequests } from "../../../sandbox/api/recent.ts";
import {
  createFailures,
  type FailureRequest,
  type Failures,
} from "../../../sandbox/api/simulated-failure.ts";
import type { GatewayServices, SiteResponse } from "../../../sandbox/control/operation.ts";
import type { Message } from "../../../sandbox/domain/records.ts";
import type { Store } from "../../../sandbox/domain/store.ts";
import { siteResponse } from "../../../sandbox/gateway.ts";
import { createDirectory } from "../../../sandbox/seed/directory.ts";
import { filledAt, initialState, loadSeed } from "../../../sandbox/seed/load.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";
import { createClock } from "../../../sandbox/time/clock.ts";
import { sentMessage } from "../store/records.ts";

/** A request for the conditions of failures. */
export const post: FailureRequest = {
  operation: { method: "POST", path: "/api/v1/emails" },
  key: { id: "all", label: "all abilities" },
};

export const startedAt = Date.parse("2026-11-21T10:00:00Z");

/** The control API and the pages, with the demo seed in memory and a frozen clock. */
export interface TestSite {
  services: GatewayServices;
  store: Store;
  failures: Failures;
  request(method: string, target: string, options?: RequestOptions): Promise<SiteResponse>;
  /** Sends and parses JSON. */
  json(method: string, target: string, body?: unknown): Promise<{ status: number; body: Json }>;
}

interface RequestOptions {
  body?: string | Uint8Array;
  headers?: Record<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any property of a response
type Json = any;

export async function openTestSite(
  options: Partial<Pick<GatewayServices, "exposed" | "control">> = {},
): Promise<TestSite> {
  const seed = await loadSeed();
  const store = new MemoryStore();
  const clock = createClock({ store, frozen: true, startAt: startedAt });
  const failures = createFailures(store);
  const state = () => initialState(seed, startedAt, clock.atStart());
  await store.fill(state());
  const directory = createDirectory(seed, filledAt(store));
  const services: GatewayServices = {
    directory,
    store,
    clock,
    failures,
    recent: createRecentRequests(store),
    seed,
    reset: async () => {
      await store.reset(state());
    },
    exposed: false,
    control: false,
    ...options,
  };
  const handle = (request: ApiRequest) => siteResponse(services, request);
  const request: TestSite["request"] = async (method, target, { body, headers = {} } = {}) => {
    const response = await handle({
      method,
      target,
      headers: { host: "127.0.0.1:4020", ...headers },
      body: typeof body === "string" ? new TextEncoder().encode(body) : (body ?? null),
    });
    if (response === undefined) throw new Error(`nothing is at ${target}`);
    return response;
  };
  return {
    services,
    store,
    failures,
    request,
    json: async (method, target, body) => {
      const response = await request(
        method,
        target,
        body === undefined ? {} : { body: JSON.stringify(body) },
      );
      return { status: response.status, body: JSON.parse(String(response.body)) };
    },
  };
}

/** Stores a message as the API accepts it. */
export async function put(store: Store, given: Partial<Message>): Promise<Message> {
  const message = sentMessage("msg_1", {
    ...{ accountId: "bakery", from: "orders@bakery.example", to: ["ada@readers.example"], tags: {} },
    content: {
      ...sentMessage("").content,
      subject: "Your order",
      html: "<p>It is ready.</p>",
      text: "It is ready.",
    },
    ...{ status: "delivered", createdAt: startedAt, sentAt: startedAt, deliveredAt: startedAt, dueAt: null },
    events: [{ type: "sent", at: startedAt, detail: null }],
    ...given,
  });
  await store.accept({
    accountId: message.accountId,
    now: message.createdAt,
    recipients: [],
    idempotency: null,
    decide: () => ({ messages: [message], counted: 0, response: { status: 202, body: "" } }),
  });
  return message;
}
