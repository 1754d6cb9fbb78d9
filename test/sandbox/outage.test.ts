import { describe, expect, test } from "vitest";
import { StoreUnavailableError } from "../../sandbox/domain/unavailable.ts";
import type { HandledRequest, Sandbox, SandboxOptions } from "../../sandbox/index.ts";
import { parseMetrics } from "./metrics/parse.ts";
import { mail, startRig } from "./rig.ts";

/** Replaces the methods of a shared store that each request needs. @returns what brings the store back */
function takeAway(store: Sandbox["store"], fail: () => Promise<never>): () => void {
  const { isShared, refresh, nextDue } = store;
  Object.assign(store, { isShared: true, refresh: fail, nextDue: fail });
  return () => Object.assign(store, { isShared, refresh, nextDue });
}

const unavailable = (): Promise<never> =>
  Promise.reject(new StoreUnavailableError("The database cannot be reached."));

async function startedRig(options: SandboxOptions = {}) {
  const requests: HandledRequest[] = [];
  const rig = await startRig({ ...options, onRequest: (request) => requests.push(request) });
  return { ...rig, requests };
}

describe("while the database is away", () => {
  test("a request is counted with its operation, and logged with the type of its response", async () => {
    const { sandbox, get, requests } = await startedRig();
    takeAway(sandbox.store, unavailable);
    const { status, type, headers } = await get("/api/v1/emails/msg_1");
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
    expect(requests).toMatchObject([{ status: 503, errorType: type, path: "/api/v1/emails/msg_1" }]);
    const { sample } = parseMetrics(await (await sandbox.fetch("/metrics")).text());
    const labels = { method: "GET", path: "/api/v1/emails/{id}", status: "503" };
    expect(sample("email_sandbox_requests_total", labels)).toBe(1);
    expect(sample("email_sandbox_requests_without_operation_total", { status: "503" })).toBeUndefined();
  });

  test("pages and the control API say so", async () => {
    const { sandbox } = await startedRig();
    takeAway(sandbox.store, unavailable);
    const [page, control, ready] = await Promise.all([
      sandbox.fetch("/contacts"),
      sandbox.fetch("/sandbox/outbox"),
      sandbox.fetch("/health/ready"),
    ]);
    expect([page.status, control.status, ready.status]).toEqual([503, 503, 503]);
    expect([page, control].map(({ headers }) => headers.get("retry-after"))).toEqual(["1", "1"]);
    const text = await page.text();
    expect(text).toContain("<!doctype html>");
    expect(text).toContain("The database cannot be reached");
    const { error } = (await control.json()) as { error: { message: string; hint: string } };
    expect(error.message).toContain("The database cannot be reached");
    expect(error.hint).toBe("Retry in a moment.");
  });
});

test("once the store works again, the sandbox says for how long it failed, without any request", async () => {
  const recoveries: number[] = [];
  const { sandbox, post } = await startedRig({ onRecovery: (milliseconds) => recoveries.push(milliseconds) });
  const restore = takeAway(sandbox.store, unavailable);
  expect((await post("/api/v1/emails", mail())).status).toBe(503);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(recoveries).toEqual([]);
  restore();
  await expect.poll(() => recoveries, { timeout: 3_000 }).toHaveLength(1);
  expect(recoveries[0]).toBeGreaterThan(1_200);
  expect((await post("/api/v1/emails", mail())).status).toBe(202);
});
