import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import pLimit from "p-limit";
import { measureClockOffset } from "../../../contract/clock-offset.ts";
import { Run } from "../../../contract/engine/run.ts";
import type { Settings } from "../../../contract/engine/settings.ts";
import { Tester } from "../../../contract/engine/tester.ts";
import { planOf, runPlan } from "../../../contract/plan.ts";
import { limits } from "../../../generated/limits.ts";
import { startSandbox } from "../../../sandbox/index.ts";
import { settingsOfSandbox, testedSandbox } from "../../../scripts/contract/targets.ts";
import { startProxy } from "../../../scripts/observe/proxy.ts";
import type { TrafficExchange } from "../../../scripts/observe/traffic.ts";

/** An exchange, with the number of the connection that the client sent it over. */
export type Recorded = TrafficExchange & { socket: number };

/** Sends requests through the proxy to a sandbox that takes a while for each, and returns the traffic in the order of the requests. */
export async function trafficOf(
  send: (settings: Settings) => Promise<void>,
  random: () => number,
): Promise<{ traffic: Recorded[]; settings: Settings }> {
  const sandbox = await startSandbox({ ...testedSandbox(), requestsPerMinute: 100_000 });
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/" } = request;
    const body = await text(request);
    const { connection: _, host: __, "transfer-encoding": ___, ...headers } = request.headers;
    await pause(4 * random() ** 4);
    const result = await sandbox.fetch(url, {
      method,
      headers: headers as Record<string, string>,
      ...(body !== "" && { body }),
    });
    const received = await result.text();
    await pause(4 * random() ** 4);
    response.writeHead(result.status, [...result.headers].flat()).end(received);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const exchanges: TrafficExchange[] = [];
  const onExchange = (exchange: TrafficExchange): void => void exchanges.push(exchange);
  const proxy = await startProxy({ upstream, port: 0, host: "127.0.0.1", onExchange });
  const settings = settingsOfSandbox(proxy.url);
  await send(settings);
  await proxy.close();
  server.close();
  await sandbox.close();
  const traffic = exchanges.sort((one, other) => (one.startedAt ?? 0) - (other.startedAt ?? 0));
  return { traffic: overConnections(traffic), settings };
}

/** Each exchange over the first connection that was free. */
function overConnections(traffic: readonly TrafficExchange[]): Recorded[] {
  const free: number[] = [];
  return traffic.map((exchange) => {
    const { startedAt = 0, milliseconds = 0 } = exchange;
    const found = free.findIndex((at) => at <= startedAt);
    const socket = found < 0 ? free.length : found;
    free[socket] = startedAt + milliseconds;
    return { ...exchange, socket };
  });
}

/** Numbers from 0 to 1, which the seed decides. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** What the checks of the suite send, so many requests at the same time. */
export const ofSuite =
  (connections: number, grep?: RegExp) =>
  async (given: Settings): Promise<void> => {
    const settings: Settings = {
      ...given,
      profile: "core",
      hooks: {},
      sequences: { sequences: 20, seed: connections, shorten: false },
      without: [...given.without, "clock", "burst", "slow"],
    };
    const limit = pLimit(connections);
    const send = (url: string, init: RequestInit): Promise<Response> =>
      limit(async () => {
        const response = await fetch(url, init);
        const { status, headers } = response;
        const body = await response.arrayBuffer();
        return new Response([204, 205, 304].includes(status) ? null : body, { status, headers });
      });
    const run = new Run({ settings, onWait: () => {}, fetch: send });
    await measureClockOffset(new Tester(run));
    await runPlan(run, planOf(settings, grep));
  };

/** What an application sends whose workers share messages, contacts and idempotency keys, so many workers at the same time. */
export const ofApplication =
  (connections: number, requests: number, random: () => number) =>
  async (settings: Settings): Promise<void> => {
    const ids: string[] = [];
    let left = requests;
    const pick = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)] as One;
    const recent = (): string => pick(ids.slice(-4)) ?? "msg_unknown";
    const { full, second, restricted, otherAccount, sendOnly, revoked } = settings.keys;
    const common = [full, full, full, full, second, second, sendOnly];
    const own = { subject: "Hello", text: "It works." };
    const to = () => [pick(["success@simulator.example", "ada@readers.example", "gone@readers.example"])];
    const message = () => ({ from: "hello@bakery.example", to: to(), ...own });
    const soon = () => new Date(Date.now() + pick([1, 2]) * 86_400_000).toISOString();
    const contact = () => `/newsletter/contacts/${pick(["ada", "bob"])}%40readers.example`;
    const email = () => pick(["ada@readers.example", "bob@readers.example", "Ada@readers.example"]);
    const list_id = () => pick([1, 2, 3, 2, 11]);
    const steps: (() => readonly [method: string, path: string, body?: unknown, key?: string | undefined])[] =
      [
        () => ["POST", "/emails", message()],
        () => ["POST", "/emails", { ...message(), scheduled_at: soon() }],
        () => ["POST", "/emails", { ...message(), subject: "x".repeat(limits.subjectLength + 1) }],
        () => [
          "POST",
          "/emails",
          { ...message(), from: "hello@florist.example" },
          pick([otherAccount, restricted, full]),
        ],
        () => [
          "POST",
          "/emails",
          { ...message(), from: "hello@shop.bakery.example" },
          pick([restricted, full, revoked]),
        ],
        () => ["POST", "/emails/batch", { emails: [message(), message()] }],
        () => ["POST", "/emails/batch", { emails: [message(), { ...message(), to: [] }] }],
        () => ["GET", `/emails/${recent()}`],
        () => ["GET", `/emails/${recent()}`, undefined, pick([otherAccount, full])],
        () => ["PATCH", `/emails/${recent()}`, { scheduled_at: soon() }],
        () => ["DELETE", `/emails/${recent()}`],
        ...Array.from(
          { length: 3 },
          () => () =>
            [
              "POST",
              "/newsletter/contacts",
              {
                email: email(),
                list_id: list_id(),
                tags: [pick(["a", "b"])],
                first_name: pick(["Ada", "Bob"]),
              },
            ] as const,
        ),
        ...Array.from({ length: 3 }, () => () => ["GET", contact()] as const),
        () => ["POST", `${contact()}/unsubscribe`, { list_id: pick([1, 2]) }],
        () => ["POST", `${contact()}/unsubscribe`, random() < 0.2 ? {} : { list_id: 3 }],
        () => ["GET", "/newsletter/lists"],
        () => ["GET", "/newsletter/fields"],
        () => ["GET", "/me"],
      ];
    const work = async (): Promise<void> => {
      for (; left > 0; ) {
        left -= 1;
        const [method, path, body, key = pick(common)] = pick(steps)();
        const isKeyed = method === "POST" && random() < 0.3;
        const response = await fetch(`${settings.baseUrl}/api/v1${path}`, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            ...(body !== undefined && { "content-type": "application/json" }),
            ...(isKeyed && { "idempotency-key": pick(["one", "two", "three", `key ${left}`]) }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const { id, data = [] } = (await response.json()) as { id?: string; data?: { id: string }[] };
        ids.push(...[{ id }, ...data].flatMap((one) => (one.id === undefined ? [] : [one.id])));
      }
    };
    await Promise.all(Array.from({ length: connections }, work));
  };
