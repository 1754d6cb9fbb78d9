import { Agent, request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Settings } from "../../contract/engine/settings.ts";
import { Observer } from "../../contract/observe/observer.ts";
import { operations } from "../../generated/operations.ts";
import { isObject, jsonOf } from "../../lib/objects.ts";
import { startSandbox } from "../../sandbox/index.ts";
import { settingsOfSandbox } from "../../scripts/contract/targets.ts";
import { startProxy } from "../../scripts/observe/proxy.ts";
import { Traffic, type TrafficExchange } from "../../scripts/observe/traffic.ts";
import { startSecondServer } from "../second-server/second-server.ts";
import { secondServerSettings } from "../second-server/settings.ts";
import { failuresOf } from "./samples.ts";

const requestsPerMinute = 1_000_000;
const servers = [
  { name: "the sandbox", start: () => startSandbox({ requestsPerMinute }), settingsOf: settingsOfSandbox },
  {
    name: "the second server",
    start: () => startSecondServer({ requestsPerMinute }),
    settingsOf: secondServerSettings,
  },
];

/** Traffic of random requests to a server, through the proxy. */
async function oddTraffic(settings: Settings, connections: number): Promise<TrafficExchange[]> {
  const traffic: TrafficExchange[] = [];
  const onExchange = (exchange: TrafficExchange): void => void traffic.push(exchange);
  const proxy = await startProxy({ upstream: settings.baseUrl, port: 0, host: "127.0.0.1", onExchange });
  const { full = "", ...others } = settings.keys;
  const { verified = "" } = settings.fixtures.domains ?? {};
  const arbitrary = oddRequests([full, ...Object.values(others)], verified);
  await sendAll(proxy.url, fc.sample(arbitrary, { seed: connections, numRuns: 1000 }), connections);
  await proxy.close();
  return traffic;
}

test.each(servers.flatMap((server) => [1, 8].map((connections) => ({ ...server, connections }))))(
  "1,000 odd requests to $name over $connections connections show no failure",
  async ({ start, settingsOf, connections }) => {
    const { url, close } = await start();
    const settings = settingsOf(url);
    const traffic = await oddTraffic(settings, connections).finally(close);
    expect(traffic.filter(({ status }) => status >= 200 && status < 300).length).toBeGreaterThan(100);
    const { keys, fixtures } = settings;
    for (const options of [{}, { keys, fixtures }, { keys, fixtures, isAllTraffic: true }]) {
      const observer = new Observer(options);
      const passed = new Traffic(observer);
      for (const exchange of traffic) passed.add(exchange);
      observer.end();
      expect(failuresOf(observer)).toEqual([]);
    }
  },
);

/** A request that tools send by mistake or to find one: most parts of it are usual. */
interface OddRequest {
  method: string;
  /** With `{id}` for the id of a message. */
  path: string;
  headers: OutgoingHttpHeaders;
  body: string | Buffer | undefined;
}

const usually = <Value>(usual: Value, ...odd: Value[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });

const all = Object.values(operations).map(({ method, path, requestBody }) => ({
  method,
  path: path.replace("{email}", encodeURIComponent("ada@readers.example")),
  hasBody: requestBody !== null,
}));

const scheduledAt = (): string => new Date(Date.now() + 86_400_000).toISOString();

function bodyOf(path: string, domain: string): fc.Arbitrary<unknown> {
  const message = fc.record({
    from: usually(`orders@${domain}`, "orders@unverified.example", " "),
    to: usually<unknown>(["ada@readers.example"], "ada@readers.example", Array(51).fill("a@b.example")),
    subject: usually<unknown>("Hello", "", null, "a".repeat(999), "a\nb"),
    text: usually<unknown>("Hello", "", null, 1),
    scheduled_at: usually<unknown>(undefined, scheduledAt(), "tomorrow", null),
  });
  if (path.endsWith("/batch")) return fc.record({ emails: fc.array(message, { maxLength: 3 }) });
  if (path.endsWith("/emails")) return message;
  if (path.endsWith("{id}")) return fc.record({ scheduled_at: usually<unknown>(scheduledAt(), "now", null) });
  const list_id = usually<unknown>(undefined, 1, 99, "1");
  if (path.endsWith("/unsubscribe")) return fc.record({ list_id });
  return fc.record({ email: usually<unknown>("ada@readers.example", "ADA@readers.example", 1), list_id });
}

/** @param keys of which most requests have the first @param domain from which messages may be sent */
const oddRequests = (keys: readonly [string, ...string[]], domain: string): fc.Arbitrary<OddRequest> =>
  fc.constantFrom(...all).chain(({ method, path, hasBody }) =>
    fc
      .record({
        method: usually(method, "HEAD", "OPTIONS", "PUT", "get"),
        path: usually("", "/", "?a=1&a=2", "#part", "%2F").map((end) => path + end),
        scheme: usually("Bearer ", "bearer ", "Bearer  ", "Basic ", ""),
        key: usually(...keys),
        type: usually(
          "application/json",
          "application/json; charset=utf-8",
          "text/plain",
          "APPLICATION/JSON",
        ),
        idempotencyKey: fc.constantFrom(undefined, undefined, undefined, "one", "two", "", "a".repeat(257)),
        written: hasBody
          ? fc.tuple(bodyOf(path, domain), usually<(json: string) => string | Buffer>(String, ...odder))
          : fc.constant(undefined),
      })
      .map(({ scheme, key, type, idempotencyKey, written, ...line }) => {
        const body = written?.[1](JSON.stringify(written[0]));
        const headers = {
          authorization: scheme + key,
          ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
          ...(body !== undefined && { "content-type": type, "content-length": Buffer.byteLength(body) }),
          ...(Buffer.isBuffer(body) && { "content-encoding": "gzip" }),
        };
        return { ...line, headers, body };
      }),
  );

/** Other ways to write a body. */
const odder: ((json: string) => string | Buffer)[] = [
  (json) => json.slice(0, -1),
  (json) => `\uFEFF${json}`,
  (json) => JSON.stringify(JSON.parse(json), null, 2),
  (json) => gzipSync(json),
  () => "",
  () => "[]",
];

/** Sends requests over so many connections, with the ids of earlier responses. */
async function sendAll(url: string, requests: readonly OddRequest[], connections: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const waiting = requests.values();
  let id = "unknown";
  const sendSome = async (): Promise<void> => {
    for (const { method, path, headers, body } of waiting) {
      const whole = new URL(url);
      const options = { agent, method, path: path.replace("{id}", id), headers };
      const response = await new Promise<string>((resolve) => {
        const sent = httpRequest({ host: whole.hostname, port: whole.port, ...options }, (received) =>
          text(received).then(resolve, () => resolve("")),
        );
        // The server may not read all of it.
        sent.on("error", () => resolve(""));
        sent.end(body);
      });
      const found = idIn(response);
      if (found !== undefined) id = found;
    }
  };
  await Promise.all(Array.from({ length: connections }, sendSome));
  agent.destroy();
}

function idIn(response: string): string | undefined {
  const value = jsonOf(response);
  return isObject(value) && typeof value.id === "string" ? value.id : undefined;
}
