import { describe, expect, test } from "vitest";
import { StoreUnavailableError } from "../../sandbox/domain/store.ts";
import type { HandledRequest, Sandbox, SandboxOptions } from "../../sandbox/index.ts";
import { startRig } from "./rig.ts";

/** Makes the methods of a store fail that each request needs. */
const takeAway = (store: Sandbox["store"], fail: () => Promise<never>): void =>
  void Object.assign(store, { readSettings: fail, changeSetting: fail });

const unavailable = (): Promise<never> =>
  Promise.reject(new StoreUnavailableError("the database cannot be reached"));

async function startedRig(options: SandboxOptions = {}) {
  const requests: HandledRequest[] = [];
  const rig = await startRig({ ...options, onRequest: (request) => requests.push(request) });
  return { ...rig, requests };
}

describe("while the database is away", () => {
  test("a request is logged with the type of its response", async () => {
    const { sandbox, get, requests } = await startedRig();
    takeAway(sandbox.store, unavailable);
    const { status, type, headers } = await get("/api/v1/emails/msg_1");
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
    expect(requests).toMatchObject([{ status: 503, errorType: type, path: "/api/v1/emails/msg_1" }]);
  });

  test("pages and the control API say so", async () => {
    const { sandbox } = await startedRig();
    takeAway(sandbox.store, unavailable);
    const [page, control, health] = await Promise.all([
      sandbox.fetch("/contacts"),
      sandbox.fetch("/sandbox/outbox"),
      sandbox.fetch("/health"),
    ]);
    expect([page.status, control.status, health.status]).toEqual([503, 503, 503]);
    expect([page, control].map(({ headers }) => headers.get("retry-after"))).toEqual(["1", "1"]);
    const text = await page.text();
    expect(text).toContain("<!doctype html>");
    expect(text).toContain("The store failed: the database cannot be reached.");
    const { error } = (await control.json()) as { error: { message: string; hint: string } };
    expect(error.message).toContain("The store failed: the database cannot be reached.");
    expect(error.hint).toBe("Retry in a moment.");
  });
});
