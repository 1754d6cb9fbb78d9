import { beforeEach, describe, expect, test } from "vitest";
import { startSandbox } from "../../../sandbox/index.ts";
import { put, startedAt, type TestSite } from "../control/test-site.ts";
import { keys, type Rig, startRig } from "../rig.ts";
import { openPages, type PageReader, receipt, scheduled } from "./samples.ts";

let site: TestSite;
let textOf: PageReader;
beforeEach(async () => {
  ({ site, textOf } = await openPages());
});

const form = (target: string, fields: Record<string, string>) =>
  site.request("POST", target, { body: new URLSearchParams(fields).toString() });

describe("the forms", () => {
  test("the clock advances by a duration, to a time, and to the next due message", async () => {
    expect(await form("/clock", { advance: "PT1H" })).toMatchObject({
      status: 303,
      headers: { location: "/clock" },
    });
    expect(site.services.clock.now()).toBe(startedAt + 3_600_000);
    await form("/clock", { local: "2026-11-21T12:30" });
    expect(site.services.clock.now()).toBe(startedAt + 9_000_000);
    await put(site.store, scheduled);
    const due = /name="to" value="([^"]+)"/.exec(await textOf("/clock"))?.[1] ?? "";
    await form("/clock", { to: due });
    expect(site.services.clock.now()).toBe(scheduled.scheduledAt);
  });

  test("a next due message that was sent meanwhile is no error", async () => {
    expect((await form("/clock", { to: "2026-11-21T09:00:00.000Z" })).status).toBe(303);
    expect(site.services.clock.now()).toBe(startedAt);
  });

  test("a time in the past is rejected with an error page", async () => {
    const response = await form("/clock", { local: "2026-11-20T12:30" });
    expect(response.status).toBe(409);
    expect(response.body).toContain("The clock cannot go back to 2026-11-20T12:30Z from ");
  });

  test("a contact shows its latest consent, as text, and is confirmed", async () => {
    const { sandbox, post } = await startRig();
    const consent = { detail: "Stand at the <b>fair</b>", ip: "203.0.113.7", user_agent: "Till 3" };
    const contact = { email: "pending@readers.example", list_id: 1 };
    await post("/api/v1/newsletter/contacts", { ...contact, consent });
    const page = async () => (await sandbox.fetch("/contacts")).text();
    expect(await page()).toContain(
      "UTC: <bdi>Stand at the &lt;b&gt;fair&lt;/b&gt;</bdi> (<bdi>203.0.113.7</bdi>, <bdi>Till 3</bdi>)",
    );
    expect(await page()).toContain("Confirm pending@readers.example for list 1");
    const body = new URLSearchParams({ account: "bakery", email: contact.email, list_id: "1" });
    const response = await sandbox.fetch("/contacts/confirm", { method: "POST", body: body.toString() });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/contacts?account=bakery"]);
    expect(await page()).not.toContain("/contacts/confirm");
  });

  test("a suppression is removed", async () => {
    const fields = { account: "florist", email: "ada@readers.example" };
    await form("/suppressions", { ...fields, reason: "hard bounce" });
    expect(await textOf("/suppressions?account=florist")).toContain("ada@readers.example");
    await form("/suppressions/remove", fields);
    expect(await textOf("/suppressions?account=florist")).toContain("No suppressed email addresses.");
  });

  test("the sandbox is reset", async () => {
    await put(site.store, receipt);
    expect(await form("/reset", {})).toMatchObject({ status: 303, headers: { location: "/" } });
    expect(await textOf("/")).toContain("No messages yet.");
  });

  test("a failure is added with its conditions, listed, and ended", async () => {
    const fields = {
      failure: "429",
      retry_after: "30",
      delay: "PT2S",
      method: "POST",
      path: "/api/v1/emails*",
    };
    const response = await form("/failures", { ...fields, key: "all", share: "0.25", requests: "3" });
    expect(response).toMatchObject({ status: 303, headers: { location: "/failures" } });
    expect(site.failures.pending()).toMatchObject([
      {
        failure: { kind: "rate limit", retryAfter: 30 },
        requests: 3,
        match: { method: "POST", path: "/api/v1/emails*", key: "all", share: 0.25 },
      },
    ]);
    const page = await textOf("/failures");
    for (const shown of [
      "429, Retry-After: 30",
      "25% of",
      "POST /api/v1/emails*",
      "3 requests left, 0 failed",
    ])
      expect(page).toContain(shown);
    const id = /name="id" value="([^"]+)"/.exec(page)?.[1] ?? "";
    await form("/failures/end", { id });
    expect(await textOf("/failures")).toContain("No failures");
  });

  test("empty conditions are none, and all failures are ended at once", async () => {
    await form("/failures", { failure: "503", method: "", path: "", key: "", share: "", delay: "" });
    await site.request("POST", "/failures", { body: "failure=cut&requests=1&requests=all" });
    expect(site.failures.pending()).toMatchObject([{ requests: 1 }, { requests: null }]);
    expect(site.failures.pending()[0]).not.toHaveProperty("match");
    await form("/failures/end-all", {});
    expect(site.failures.pending()).toEqual([]);
  });

  test("the page of failures shows no key", async () => {
    await form("/failures", { failure: "503", key: "sandbox_all_2f7c" });
    expect(await textOf("/failures")).not.toContain("sandbox_all_2f7c");
  });

  test("a form that is not UTF-8 is rejected", async () => {
    expect((await site.request("POST", "/clock", { body: new Uint8Array([0xff]) })).status).toBe(422);
  });
});

const email = "new@readers.example";

/** Adds a contact to a list with double opt-in. @returns the link in the confirmation email */
async function linkOf(rig: Rig): Promise<string> {
  await rig.post("/api/v1/newsletter/contacts", { email, list_id: 1 });
  const [message] = await rig.sandbox.outbox.messages({ limit: 1 });
  return /http\S+/.exec(message?.content.text ?? "")?.[0] ?? "";
}

const statusOf = async (rig: Rig): Promise<string> =>
  (await rig.get(`/api/v1/newsletter/contacts/${encodeURIComponent(email)}`)).body.lists[0].status;

test("the link in a confirmation email and on its page confirms, once, and not with HEAD", async () => {
  const rig = await startRig();
  const link = await linkOf(rig);
  expect(link).toMatch(`${rig.sandbox.url}/confirm?`);
  const [message] = await rig.sandbox.outbox.messages({ limit: 1 });
  const page = await (await fetch(`${rig.sandbox.url}/messages/${message?.id}`)).text();
  const { pathname, search } = new URL(link);
  expect(page).toContain(`<a href="${(pathname + search).replaceAll("&", "&amp;")}">http://`);
  expect((await fetch(link, { method: "HEAD" })).status).toBe(200);
  expect(await statusOf(rig)).toBe("pending");
  const response = await fetch(link);
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringContaining(`<bdi>${email}</bdi> is subscribed to <bdi>Weekly letter</bdi>`),
  ]);
  expect(await statusOf(rig)).toBe("subscribed");
  const again = await fetch(link);
  expect([again.status, await again.text()]).toEqual([
    409,
    expect.stringContaining("is subscribed to list 1 already"),
  ]);
});

test.for([
  ["another token", "token", "0000"],
  ["the list of another confirmation", "list_id", "3"],
  ["another contact", "email", "pending@readers.example"],
])("a link with %s confirms nothing", async ([, name = "", value = ""]) => {
  const rig = await startRig();
  const link = new URL(await linkOf(rig));
  link.searchParams.set(name, value);
  expect([404, 409]).toContain((await fetch(link)).status);
  expect(await statusOf(rig)).toBe("pending");
});

test("on a network, the link works although the pages are disabled", async () => {
  const sandbox = await startSandbox({ host: "0.0.0.0" });
  const url = sandbox.url.replace("0.0.0.0", "127.0.0.1");
  await fetch(`${url}/api/v1/newsletter/contacts`, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.all}`, "content-type": "application/json" },
    body: JSON.stringify({ email, list_id: 1 }),
  });
  const [message] = await sandbox.outbox.messages({ limit: 1 });
  const link = /http\S+/.exec(message?.content.text ?? "")?.[0] ?? "";
  expect([(await fetch(link)).status, (await fetch(`${url}/contacts`)).status]).toEqual([200, 403]);
  await sandbox.close();
});
