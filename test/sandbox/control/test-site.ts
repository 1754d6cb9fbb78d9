import type { HttpResponse } from "../../../sandbox/api/context.ts";
import type { FailureRequest } from "../../../sandbox/api/simulated-failure.ts";
import type { Message } from "../../../sandbox/domain/records.ts";
import type { Store } from "../../../sandbox/domain/store.ts";
import { loadSeed } from "../../../sandbox/seed/load.ts";
import { openService, type ServiceParts } from "../../../sandbox/service.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";
import { sentMessage } from "../store/records.ts";

/** A request for the conditions of failures. */
export const post: FailureRequest = {
  operation: { method: "POST", path: "/api/v1/emails" },
  key: { id: "all", label: "all abilities" },
};

export const startedAt = Date.parse("2026-11-21T10:00:00Z");

export type TestSite = Awaited<ReturnType<typeof openTestSite>>;

interface RequestOptions {
  body?: string | Uint8Array;
  headers?: Record<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any property of a response
type Json = any;

/** The service with the demo seed in memory and a frozen clock, without a socket: a request arrives as the test writes it. */
export async function openTestSite(access: Partial<ServiceParts["access"]> = {}) {
  const store = new MemoryStore();
  const clock = { frozen: true, startAt: startedAt };
  const parts = { store, seed: await loadSeed(), access: { exposed: false, control: false, ...access } };
  const { services, gateway } = await openService({ clock }, parts);
  const request = async (
    method: string,
    target: string,
    { body, headers = {} }: RequestOptions = {},
  ): Promise<HttpResponse> =>
    gateway.handle({
      ...{ method, target, headers: { host: "127.0.0.1:4020", ...headers } },
      body: typeof body === "string" ? new TextEncoder().encode(body) : (body ?? null),
    });
  return {
    ...{ services, store, failures: services.failures, request },
    /** Sends and parses JSON. */
    async json(method: string, target: string, body?: unknown): Promise<{ status: number; body: Json }> {
      const options = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await request(method, target, options);
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
      ...{ subject: "Your order", html: "<p>It is ready.</p>", text: "It is ready." },
    },
    ...{ status: "delivered", createdAt: startedAt, sentAt: startedAt, deliveredAt: startedAt, dueAt: null },
    events: [{ type: "sent", at: startedAt, detail: null }],
    ...given,
  });
  await store.accept({
    ...{ accountId: message.accountId, now: message.createdAt, recipients: [], idempotency: null },
    decide: () => ({ messages: [message], counted: 0, response: { status: 202, body: "" } }),
  });
  return message;
}
