import { expect, test } from "vitest";
import { startSandbox } from "../../../sandbox/index.ts";
import { keys, type Rig, startRig } from "../rig.ts";

const email = "new@readers.example";

/** Adds a contact to a list with double opt-in. @returns the link in the confirmation email */
async function linkOf(rig: Rig): Promise<string> {
  await rig.post("/api/v1/newsletter/contacts", { email, list_id: 1 });
  const [message] = await rig.sandbox.outbox.messages({ limit: 1 });
  return /http\S+/.exec(message?.content.text ?? "")?.[0] ?? "";
}

const statusOf = async (rig: Rig): Promise<string> =>
  (await rig.get(`/api/v1/newsletter/contacts/${encodeURIComponent(email)}`)).body.lists[0].status;

test("the link in a confirmation email confirms, once", async () => {
  const rig = await startRig();
  const link = await linkOf(rig);
  expect(link).toMatch(`${rig.sandbox.url}/confirm?`);
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

test("the page of the email has the link", async () => {
  const rig = await startRig();
  const { pathname, search } = new URL(await linkOf(rig));
  const [message] = await rig.sandbox.outbox.messages({ limit: 1 });
  const page = await (await fetch(`${rig.sandbox.url}/messages/${message?.id}`)).text();
  expect(page).toContain(`<a href="${(pathname + search).replaceAll("&", "&amp;")}">http://`);
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

test("HEAD confirms nothing", async () => {
  const rig = await startRig();
  expect((await fetch(await linkOf(rig), { method: "HEAD" })).status).toBe(200);
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
