import { beforeEach, describe, expect, test } from "vitest";
import type { SendRequest } from "../../../client/src/index.ts";
import { startRig } from "../rig.ts";
import { openTestSite, put, startedAt, type TestSite } from "./test-site.ts";

let site: TestSite;
beforeEach(async () => {
  site = await openTestSite();
});

const content = { subject: "Hi", html: null, text: "Hello", reply_to: null, headers: {}, attachments: [] };

describe("outbox and request log", () => {
  test("messages are listed in pages, newest first, of one account or with a text", async () => {
    for (const index of [1, 2, 3])
      await put(site.store, { id: `msg_${index}`, createdAt: startedAt + index });
    await put(site.store, { id: "msg_4", accountId: "florist", to: ["Grace@readers.example"] });
    const found = await site.json("GET", "/sandbox/outbox?search=grace%40");
    expect(found.body).toMatchObject({ messages: [{ id: "msg_4" }], has_more: false });
    const first = await site.json("GET", "/sandbox/outbox?limit=2&account=bakery");
    expect(first.body).toMatchObject({ messages: [{ id: "msg_3" }, { id: "msg_2" }], has_more: true });
    const second = await site.json("GET", "/sandbox/outbox?limit=2&before=msg_2");
    expect(second.body).toMatchObject({ messages: [{ id: "msg_1" }], has_more: false });
  });

  test("an unknown message or request as `before` is rejected", async () => {
    for (const name of ["outbox", "requests"])
      expect(await site.json("GET", `/sandbox/${name}?before=xx`)).toMatchObject({
        status: 404,
        body: { error: { message: expect.stringContaining('"xx"') } },
      });
  });

  test("a message is returned with everything but the bytes of its attachments", async () => {
    const attachments = [
      { filename: "menu.txt", content: "aGVsbG8=", content_type: "text/plain" },
      { filename: "far.pdf", path: "https://files.example.com/far.pdf" },
    ];
    await put(site.store, { bcc: ["secret@readers.example"], content: { ...content, attachments } });
    const { body } = await site.json("GET", "/sandbox/outbox/msg_1");
    expect(body).toMatchObject({
      bcc: ["secret@readers.example"],
      text: "Hello",
      attachments: [
        { filename: "menu.txt", content_type: "text/plain", content_id: null, bytes: 5 },
        {
          filename: "far.pdf",
          content_type: null,
          content_id: null,
          path: "https://files.example.com/far.pdf",
        },
      ],
    });
  });

  test("the MIME source of a message is returned as a file", async () => {
    await put(site.store, {});
    const { headers, body } = await site.request("GET", "/sandbox/outbox/msg_1.eml");
    expect(headers).toMatchObject({
      "content-type": "message/rfc822",
      "content-disposition": `attachment; filename="msg_1.eml"; filename*=UTF-8''msg_1.eml`,
    });
    expect(Buffer.from(body).toString()).toContain("Subject: Your order\r\n");
  });

  test("a logged request is found by its request id", async () => {
    const request = { method: "GET", path: "/api/v1/me", status: 200, fields: [] };
    const [requestId, accountId] = ["req_1", "bakery"];
    site.store.logRequest({ ...request, requestId, accountId, errorType: null, at: startedAt });
    expect((await site.json("GET", "/sandbox/requests/req_1")).body).toEqual({
      ...request,
      ...{ request_id: requestId, account: accountId, error_type: null, at: "2026-11-21T10:00:00.000Z" },
    });
    expect((await site.json("GET", "/sandbox/requests")).body.requests).toHaveLength(1);
  });
});

/** Sends a message, and returns it as the outbox and its page show it. */
async function sent(message: SendRequest) {
  const { sandbox, client } = await startRig();
  const { id } = await client.emails.send(message);
  const response = await fetch(`${sandbox.url}/sandbox/outbox/${id}`);
  const entry = (await response.json()) as { warnings: string[] };
  const page = await (await fetch(`${sandbox.url}/messages/${id}`)).text();
  return { entry, page };
}

const recipients = { from: "orders@bakery.example", to: ["ada@customers.example"] };
const plain = { ...recipients, subject: "Your order", text: "It is ready." };
const templated = (variables?: Record<string, string | number | null>): SendRequest => ({
  ...recipients,
  template_id: "order-ready",
  ...(variables !== undefined && { variables }),
});

describe("a warning in the outbox", () => {
  test("lists template variables without a value, each once", async () => {
    const { entry, page } = await sent(templated({ order: 4711 }));
    expect(entry).toMatchObject({
      subject: "Your order 4711 is ready",
      text: "Good morning, \n\nYour order 4711 is ready to be picked up.",
      warnings: ["These template variables have no value and were rendered empty: {{name}}."],
    });
    expect(page).toContain("{{name}}.");
  });

  test("lists all of them if the request has no variables", async () => {
    expect((await sent(templated())).entry.warnings).toEqual([
      "These template variables have no value and were rendered empty: {{order}}, {{name}}.",
    ]);
  });

  test("reports links that were not downloaded", async () => {
    const link = { filename: "a.pdf", path: "https://files.example.com/a.pdf" };
    const { entry, page } = await sent({ ...plain, attachments: [link] });
    expect(entry.warnings).toEqual([
      "1 attachment was not downloaded: the sandbox runs without --downloads.",
    ]);
    expect(page).toContain("without --downloads");
  });

  test.each([
    ["a message without a template", plain],
    ["a template with all its variables", templated({ name: "Ada", order: 1 })],
    ["a variable with an empty value", templated({ name: "", order: null })],
  ])("is absent for %s", async (_name, message) => {
    const { entry, page } = await sent(message);
    expect(entry.warnings).toEqual([]);
    expect(page).not.toContain('class="notice"');
  });
});
