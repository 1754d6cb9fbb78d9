import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, startSandbox } from "../../../sandbox/index.ts";
import { Counts } from "../../../sandbox/metrics/counts.ts";
import { openPort } from "../../../sandbox/port.ts";
import { keys } from "../rig.ts";
import { openTestSite } from "./test-site.ts";

const headers = { authorization: `Bearer ${keys.all}` };

async function started(): Promise<Sandbox> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const read = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, body: await response.json() };
};

test("a running sandbox is live and ready", async () => {
  const { url } = await started();
  expect(await read(`${url}/health/live`)).toEqual({ status: 200, body: { status: "live" } });
  expect(await read(`${url}/health/ready`)).toEqual({ status: 200, body: { status: "ready" } });
  expect((await fetch(`${url}/health/ready`, { method: "HEAD" })).status).toBe(200);
  expect((await fetch(`${url}/health/ready`, { method: "POST" })).status).toBe(405);
});

test("without its store it is live, and not ready for a reason", async () => {
  const { url, store } = await started();
  const { changeSetting } = store;
  store.changeSetting = async () => {
    throw new Error("database or disk is full");
  };
  expect((await read(`${url}/health/live`)).status).toBe(200);
  for (const path of ["/health", "/health/ready", "/sandbox/health"])
    expect((await fetch(url + path)).headers.get("retry-after")).toBe("1");
  expect(await read(`${url}/health/ready`)).toEqual({
    status: 503,
    body: { status: "not ready", reason: "The store failed: database or disk is full." },
  });
  store.changeSetting = changeSetting;
  expect((await read(`${url}/health/ready`)).status).toBe(200);
});

test("live never uses the store", async () => {
  const site = await openTestSite();
  const store = new Proxy(site.store, {
    get: (_, name) => {
      throw new Error(`store.${String(name)} was used`);
    },
  });
  Object.assign(site.services, { store });
  expect((await site.json("GET", "/health/live")).status).toBe(200);
});

test("while it starts it is live and not ready, and requests get 503 with Retry-After", async () => {
  const port = await openPort({});
  onTestFinished(() => port.close());
  expect((await read(`${port.url}/health/live`)).status).toBe(200);
  const notReady = { status: "not ready", reason: "The sandbox is starting." };
  expect(await read(`${port.url}/health/ready`)).toEqual({ status: 503, body: notReady });
  expect((await read(`${port.url}/health`)).status).toBe(503);
  for (const path of ["/api/v1/me", "/", "/metrics"]) {
    const response = await fetch(port.url + path, { headers });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await response.json()).toMatchObject({ error: { message: "The sandbox is starting." } });
  }
});

test("when it drains it is not ready, and serves until it closes", async () => {
  const sandbox = await started();
  sandbox.drain();
  const notReady = { status: "not ready", reason: "The sandbox is closing." };
  expect(await read(`${sandbox.url}/health/ready`)).toEqual({ status: 503, body: notReady });
  expect((await read(`${sandbox.url}/health/live`)).status).toBe(200);
  expect((await fetch(`${sandbox.url}/api/v1/me`, { headers })).status).toBe(200);
});

test("an invalid location of the data is reported before a port that is in use", async () => {
  const { url } = await started();
  const port = Number(new URL(url).port);
  for (const data of ["mysql://ada@localhost/mail", "postgres:embeded", "postgres://localhost/mail?sslmod=x"])
    await expect(startSandbox({ port, data })).rejects.toMatchObject({ name: "UserError" });
});

test("a port that is in use is reported before the store is opened", async () => {
  const { url } = await started();
  const port = Number(new URL(url).port);
  await expect(startSandbox({ port, data: "/dev/null/nothing" })).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
});

test("a start that fails closes the port", async () => {
  const port = await openPort({});
  await port.close();
  const number = Number(new URL(port.url).port);
  await expect(startSandbox({ port: number, data: "/dev/null/nothing" })).rejects.toThrow(
    "/dev/null/nothing",
  );
  await (await startSandbox({ port: number })).close();
});

test("beyond loopback, probes need no --control, metrics do", async () => {
  const off = await openTestSite({ exposed: true });
  const { services } = off;
  services.instance = { phase: "running", counts: new Counts() };
  expect((await off.request("GET", "/health/live")).status).toBe(200);
  expect((await off.request("GET", "/health/ready")).status).toBe(200);
  expect((await off.request("GET", "/metrics")).status).toBe(403);
  services.control = true;
  expect((await off.request("GET", "/metrics")).status).toBe(200);
});
