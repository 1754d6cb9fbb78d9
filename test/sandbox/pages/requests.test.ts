import { describe, expect, test } from "vitest";
import { keys, mail, type Rig, startRig } from "../rig.ts";

const pageOf = async ({ sandbox }: Rig, path: string): Promise<string> => (await sandbox.fetch(path)).text();

/** The path of the page of the request that got a response. */
const pathOf = ({ headers }: { headers: Record<string, string> }): string =>
  `/requests/${headers["x-service-request-id"]}`;

describe("an entry of the request log leads to", () => {
  test("the message that was sent", async () => {
    const rig = await startRig();
    const sent = await rig.post("/api/v1/emails", mail());
    const link = `href="/messages/${sent.body.id}"`;
    expect(await pageOf(rig, "/requests")).toContain(link);
    expect(await pageOf(rig, pathOf(sent))).toContain(link);
  });

  test("all messages of a batch", async () => {
    const rig = await startRig();
    const sent = await rig.post("/api/v1/emails/batch", { emails: [mail(), mail(), mail()] });
    const page = await pageOf(rig, pathOf(sent));
    for (const { id } of sent.body.data) expect(page).toContain(`href="/messages/${id}"`);
    expect(await pageOf(rig, "/requests")).toContain("and 2 more");
  });

  test("the message that it was about", async () => {
    const rig = await startRig();
    const { body } = await rig.post("/api/v1/emails", mail());
    const found = await rig.get(`/api/v1/emails/${body.id}`);
    expect(await pageOf(rig, pathOf(found))).toContain(`href="/messages/${body.id}"`);
  });

  test("the confirmation email that it sent", async () => {
    const rig = await startRig();
    const contact = { email: "new@readers.example", list_id: 1 };
    const added = await rig.post("/api/v1/newsletter/contacts", contact);
    const again = await rig.post("/api/v1/newsletter/contacts", contact);
    const [message] = await rig.sandbox.outbox.messages();
    const link = `href="/messages/${message?.id}"`;
    expect(await pageOf(rig, "/requests")).toContain(link);
    expect(await pageOf(rig, pathOf(added))).toContain(link);
    expect(await pageOf(rig, pathOf(again))).not.toContain("/messages/");
  });

  test("the reason of its rejection, with the sentences on its fields", async () => {
    const rig = await startRig();
    const rejected = await rig.post("/api/v1/emails", mail({ subject: 7 }));
    expect(await pageOf(rig, "/requests")).toContain("The request is invalid: subject.");
    const page = await pageOf(rig, pathOf(rejected));
    for (const shown of ["invalid_request", "subject", "Must be text.", "Correct each field"])
      expect(page).toContain(shown);
  });

  test("the type and the fields alone when memory has forgotten the rest", async () => {
    const rig = await startRig();
    const rejected = await rig.post("/api/v1/emails", mail({ subject: 7 }));
    const sent = await rig.post("/api/v1/emails", mail());
    for (let index = 0; index < 200; index += 1) await rig.sandbox.fetch("/api/v1/me", bearer);
    const page = await pageOf(rig, pathOf(rejected));
    expect(page).toContain("subject");
    expect(page).not.toContain("Must be text.");
    expect(await pageOf(rig, pathOf(sent))).toContain('href="/?account=bakery"');
  });
});

const bearer = { headers: { authorization: `Bearer ${keys.second}` } };

describe("requests that match no account or path", () => {
  test("are shown with the reason, from memory only", async () => {
    const rig = await startRig();
    const unknownPath = await rig.post("/v1/emails", mail());
    const unknownKey = await rig.get("/api/v1/me", { key: "secret_key_of_production" });
    await rig.get("/api/v1/me");
    const page = await pageOf(rig, "/requests");
    for (const shown of ["/v1/emails", "The API does not have this path.", "not issued by the service"])
      expect(page).toContain(shown);
    expect(page.match(/not in the log/g)).toHaveLength(2);
    expect(await pageOf(rig, pathOf(unknownPath))).toContain("not_found");
    const detail = await pageOf(rig, pathOf(unknownKey));
    expect(detail).toContain("unknown: not in the request log");
    expect(page + detail).not.toContain("secret_key_of_production");
    expect(await rig.sandbox.store.loggedRequests({ limit: 9 })).toHaveLength(1);
  });

  test("are not shown for one account, and a reset forgets them", async () => {
    const rig = await startRig();
    await rig.post("/v1/emails", mail());
    expect(await pageOf(rig, "/requests?account=bakery")).not.toContain("/v1/emails");
    await rig.sandbox.reset();
    expect(await pageOf(rig, "/requests")).toContain("No requests yet.");
  });

  test("are on the page of the logged requests of their time", async () => {
    const rig = await startRig({ requestsPerMinute: 1000 });
    await rig.post("/v1/oldest", mail());
    await rig.sandbox.clock.advance(1000);
    for (let index = 0; index < 60; index += 1) await rig.sandbox.fetch("/api/v1/me", bearer);
    const page = await pageOf(rig, "/requests");
    expect(page).not.toContain("/v1/oldest");
    expect(page).toContain("Older requests");
  });
});

test.for([
  ["with a reference site, linked to it", { docs: "https://docs.test/mail/" }, true],
  ["without one, not linked", {}, false],
] as const)("the error of a request is, %s", async ([, options, isLinked]) => {
  const rig = await startRig(options);
  const rejected = await rig.post("/api/v1/emails", mail(), { key: null });
  const page = await pageOf(rig, pathOf(rejected));
  expect(page.includes('href="https://docs.test/mail/errors/#401-unauthorized"')).toBe(isLinked);
  expect(rejected.text).not.toContain("docs.test");
});
