import { join } from "node:path";
import { expect, test } from "vitest";
import { reliableFetch } from "../../client/src/fetch.ts";
import { type Client, createClient, type RequestError } from "../../client/src/index.ts";
import { type Fault, fastClock, startFaultyServer } from "./faulty-server.ts";
import { accepted, key, message } from "./test-client.ts";

const good: Fault = {
  status: 202,
  headers: { "X-Service-Request-Id": "req_1" },
  body: JSON.stringify({ ...accepted, status: "canceled" }),
};
const error = (status: number, type: string, headers: Record<string, string> = {}): Fault => ({
  status,
  headers: { "Content-Type": "application/json", ...headers },
  body: JSON.stringify({ error: { type, message: "Rejected.", request_id: "req_1" } }),
});
const inTwoSeconds = () => new Date(Date.now() + 2000).toUTCString();

const scenarios: Record<string, () => Fault[]> = {
  "no fault": () => [good],
  "500, once": () => [error(500, "internal"), good],
  "500, each time": () => [error(500, "internal")],
  "502 in HTML, once": () => [{ status: 502, body: "<html>Bad gateway</html>" }, good],
  "500 without a body, once": () => [{ status: 500, body: "" }, good],
  "500 without a body, each time": () => [{ status: 500, body: "" }],
  "503, twice": () => [error(503, "unavailable"), error(503, "unavailable"), good],
  "connection cut before the request arrived": () => ["cut before", good],
  "connection cut after the request arrived": () => ["cut after", good],
  "connection cut after the request arrived, each time": () => ["cut after"],
  "429 rate_limited, 2 seconds": () => [error(429, "rate_limited", { "Retry-After": "2" }), good],
  "429 rate_limited, a date": () => [error(429, "rate_limited", { "Retry-After": inTwoSeconds() }), good],
  "429 rate_limited, 3600 seconds": () => [error(429, "rate_limited", { "Retry-After": "3600" }), good],
  "429 send_rejected": () => [error(429, "send_rejected", { "Retry-After": "2" }), good],
  "409 idempotency_conflict": () => [error(409, "idempotency_conflict"), good],
  "body that hangs, once": () => ["hang", good],
  "body that hangs, each time": () => ["hang"],
  "302 to another URL": () => [{ status: 302, headers: { Location: "/elsewhere" }, body: "" }, good],
  "200 with an empty body": () => [{ status: 200, body: "" }, good],
  "200 with a page of HTML": () => [{ status: 200, body: "<html>Log in</html>" }, good],
};

const calls: Record<string, (client: Client) => Promise<unknown>> = {
  "emails.send": (client) => client.emails.send(message),
  "emails.get": (client) => client.emails.get("01J"),
  "emails.cancel": (client) => client.emails.cancel("sched_1"),
};

test.concurrent("attempts, keys and result for each fault", { timeout: 60_000 }, async () => {
  const rows = await Promise.all(
    Object.entries(scenarios).map(([name, faults]) =>
      Promise.all(Object.entries(calls).map(([call, make]) => row(name, faults(), call, make))),
    ),
  );
  const head = "| fault | method | arrived | keys | result |\n| --- | --- | --: | --- | --- |";
  const text = `${[head, ...rows.flat()].join("\n")}\n`;
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, "scenarios.md"));
});

/**
 * Without a hanging response, an attempt may take nearly the whole timeout, which is shorter than 3600 seconds; with one, four
 * attempts of full length end long before the timeout. So a slow machine changes nothing.
 */
const limitsFor = (faults: readonly Fault[]): { attemptTimeout: number; timeout: number } =>
  faults.includes("hang")
    ? { attemptTimeout: 1_000_000, timeout: 20_000_000 }
    : { attemptTimeout: 3_500_000, timeout: 3_500_000 };

async function row(
  name: string,
  faults: Fault[],
  call: string,
  make: (client: Client) => Promise<unknown>,
): Promise<string> {
  const server = await startFaultyServer(faults);
  const client = createClient({ key, baseUrl: server.url, clock: fastClock(), ...limitsFor(faults) });
  const result = await make(client).then(() => "success", described);
  await server.close();
  const { arrived } = server;
  const keys = new Set(arrived);
  const said = keys.has(null) || keys.size === 0 ? "none" : keys.size === 1 ? "one" : "SEVERAL";
  return `| ${name} | ${call} | ${arrived.length} | ${said} | ${result} |`;
}

function described(reason: RequestError & { status?: number; type?: string | null }): string {
  const { name, status = "", type, attempts } = reason;
  return `${[name, status, type].filter(Boolean).join(" ")} after ${attempts}`;
}

test.concurrent("reliableFetch makes the same attempts", { timeout: 60_000 }, async () => {
  const alike = Object.entries(scenarios).map(async ([name, faultsOf]) => {
    const faults = faultsOf();
    const [one, other] = await Promise.all([startFaultyServer(faults), startFaultyServer(faults)]);
    const options = { key, clock: fastClock(), ...limitsFor(faults) };
    const client = createClient({ ...options, baseUrl: one.url });
    const fetch = reliableFetch(options);
    const body = JSON.stringify(message);
    const [result, response] = await Promise.all([
      client.emails.send(message).then(() => "success", described),
      fetch(`${other.url}/api/v1/emails`, { method: "POST", body }).catch(described),
    ]);
    await Promise.all([one.close(), other.close()]);
    expect(other.arrived.length, name).toBe(one.arrived.length);
    expect(new Set(other.arrived).size, name).toBe(new Set(one.arrived).size);
    expect(typeof response === "string" ? response : response.ok, name).toBe(
      typeof response === "string" ? result : result === "success",
    );
  });
  await Promise.all(alike);
});
