import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Contact } from "../../../sandbox/domain/records.ts";
import { withInlineImages } from "../../../sandbox/pages/frame.ts";
import { html } from "../../../sandbox/pages/html.ts";
import { put, startedAt, type TestFront, testFront } from "../front-parts.ts";
import { bounced, calls, hostile, receipt, scheduled } from "./samples.ts";

let front: TestFront;
beforeEach(async () => {
  front = await testFront();
});
afterEach(() => front.store.close());

const textOf = async (target: string): Promise<string> => {
  const { status, body } = await front.ask("GET", target);
  expect(status).toBe(200);
  return String(body);
};

const form = (target: string, fields: Record<string, string>) =>
  front.ask("POST", target, { body: new URLSearchParams(fields).toString() });

describe("the template", () => {
  test("it escapes what is put into it, in text and in attributes", () => {
    expect(html`<p title="${`"'<>&`}">${"<script>"}</p>`.text).toBe(
      '<p title="&quot;&#39;&lt;&gt;&amp;">&lt;script&gt;</p>',
    );
  });

  test("templates, lists of them and nothing can be put into it", () => {
    expect(html`${[html`<b>`, "<"]}${null}${undefined}${false}${0}`.text).toBe("<b>&lt;0");
  });
});

describe("the pages", () => {
  test("the outbox lists messages, the newest first, in pages", async () => {
    for (let index = 10; index < 40; index += 1)
      await put(front.store, { id: `msg_${index}`, createdAt: startedAt + index });
    const first = await textOf("/");
    expect(first.indexOf("msg_39")).toBeLessThan(first.indexOf("msg_38"));
    expect(first).not.toContain("msg_14");
    const older = /href="(\/\?before=[^"]+)"/.exec(first)?.[1] ?? "";
    expect(await textOf(older)).toContain("msg_14");
  });

  test("the outbox can be narrowed to an account", async () => {
    await put(front.store, { id: "msg_bakery" });
    await put(front.store, { id: "msg_florist", accountId: "florist" });
    const page = await textOf("/?account=florist");
    expect(page).toContain("msg_florist");
    expect(page).not.toContain("msg_bakery");
  });

  test("a message shows everything about it", async () => {
    await put(front.store, receipt);
    const page = await textOf("/messages/msg_receipt");
    for (const shown of [
      "archive@readers.example",
      "shop@bakery.example",
      "receipt 1042.txt",
      "not downloaded",
      "delivered",
    ])
      expect(page).toContain(shown);
    expect(await textOf("/messages/msg_receipt?view=text")).toContain("Your order 1042 is ready.</pre>");
    expect(await textOf("/messages/msg_receipt?view=source")).toContain("Content-Type: multipart/");
    expect(await textOf("/messages/msg_receipt?view=headers")).toContain("X-Entity-Ref-ID");
  });

  test("a bounced message tells why", async () => {
    await put(front.store, bounced);
    expect(await textOf("/messages/msg_bounced")).toContain("Take the address off your lists.");
  });

  test("a message on its way to an SMTP server tells how far it has come", async () => {
    const relay = { state: "waiting", attempts: 2, pending: ["ada@readers.example"], refused: [] };
    await put(front.store, { ...receipt, ...{ relay } });
    expect(await textOf("/messages/msg_receipt")).toContain("does not have it yet (tried 2 times)");
    expect((await front.json("GET", "/sandbox/outbox/msg_receipt")).body.relay).toEqual(relay);
  });

  test("a file is saved, byte for byte, and never shown", async () => {
    await put(front.store, receipt);
    const { headers, body } = await front.ask("GET", "/messages/msg_receipt/attachments/1");
    expect(Buffer.from(body).toString()).toBe("Two loaves");
    expect(headers).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="receipt 1042.txt"; filename*=UTF-8''receipt%201042.txt`,
      "x-content-type-options": "nosniff",
    });
  });

  test("a file whose long name is cut inside a letter of two units is saved too", async () => {
    const filename = `${"a".repeat(199)}😀.txt`;
    const content = { ...receipt.content, attachments: [{ filename, content: "MQ==" }] };
    await put(front.store, { ...receipt, content } as typeof receipt);
    const { status, headers } = await front.ask("GET", "/messages/msg_receipt/attachments/0");
    expect(status).toBe(200);
    expect(headers["content-disposition"]).toContain(`filename*=UTF-8''${"a".repeat(199)}`);
  });

  test.for([
    "/messages/msg_none",
    "/messages/%ff",
    "/messages/msg_receipt/attachments/2",
    "/messages/msg_receipt/attachments/9",
  ])("%s is not there", async (target) => {
    await put(front.store, receipt);
    expect((await front.ask("GET", target)).status).toBe(404);
  });

  test("a page takes no other method", async () => {
    expect(await front.ask("PUT", "/clock")).toMatchObject({ status: 405, headers: { allow: "GET, POST" } });
    expect(await front.ask("POST", "/calls")).toMatchObject({ status: 405, headers: { allow: "GET" } });
    expect(await front.ask("GET", "/reset")).toMatchObject({ status: 405, headers: { allow: "POST" } });
  });

  test.for(["/", "/calls", "/contacts", "/suppressions", "/clock"])(
    "%s allows no script, and no frame around it",
    async (target) => {
      const { headers } = await front.ask("GET", target);
      const policy = headers["content-security-policy"] ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script-src|unsafe/);
    },
  );
});

describe("what comes from outside is only text", () => {
  test.for([
    "/",
    "/messages/msg_hostile",
    "/messages/msg_hostile?view=text",
    "/messages/msg_hostile?view=source",
    "/messages/msg_hostile?view=headers",
    "/calls",
    "/contacts?account=<script>",
    `/messages/${encodeURIComponent("<script>alert(1)</script>")}`,
  ])("%s", async (target) => {
    await put(front.store, hostile);
    for (const call of calls) front.store.logRequest(call);
    const { body } = await front.ask("GET", target);
    expect(String(body)).not.toMatch(/<script|<img|<svg|<b>/);
  });

  test("a huge text is cut", async () => {
    await put(front.store, hostile);
    const page = await textOf("/messages/msg_hostile?view=text");
    expect(page.length).toBeLessThan(130_000);
    expect(page).toContain("Cut after 100000 characters");
  });

  test("a file's name cannot bend the header that names it", async () => {
    await put(front.store, hostile);
    const { headers } = await front.ask("GET", "/messages/msg_hostile/attachments/0");
    expect(headers["content-disposition"]).toMatch(
      /^attachment; filename="[\w .()+-]+"; filename\*=UTF-8''[\w.!~%-]+$/,
    );
  });

  test("the frame of a message lets it do nothing", async () => {
    await put(front.store, hostile);
    const { headers } = await front.ask("GET", "/messages/msg_hostile/html");
    expect(headers["content-security-policy"]).toMatch(/^sandbox; default-src 'none'; img-src data:;/);
    expect(headers["x-dns-prefetch-control"]).toBe("off");
    expect(await textOf("/messages/msg_hostile")).toContain('<iframe sandbox=""');
  });
});

describe("inline images", () => {
  const image = {
    filename: "a.png",
    content: "aGVs\r\nbG8=",
    content_type: "image/png",
    content_id: "logo@shop",
  };

  test("they are put into the HTML that names them", () => {
    expect(withInlineImages('<img src="cid:logo@shop"><img src=cid:logo%40shop>', [image])).toBe(
      '<img src="data:image/png;base64,aGVsbG8="><img src=data:image/png;base64,aGVsbG8=>',
    );
  });

  test("a name that no image has stays as it is", () => {
    expect(withInlineImages('<img src="cid:other">', [image])).toBe('<img src="cid:other">');
  });

  test("one that is named again and again does not fill the memory", () => {
    const large = { ...image, content: "A".repeat(40 * 1024 * 1024) };
    const shown = withInlineImages('<img src="cid:logo@shop"><img src="cid:logo@shop">', [large]);
    expect(shown.slice(-40)).toContain('"><img src="cid:logo@shop">');
    expect(shown.length).toBeLessThan(64 * 1024 * 1024);
  });

  test("only images are put in", () => {
    const attachments = [
      { ...image, content_type: "text/html" },
      { ...image, content_type: 'image/png" onload="alert(1)' },
    ];
    expect(withInlineImages('<img src="cid:logo@shop">', attachments)).toBe('<img src="cid:logo@shop">');
  });
});

describe("the forms", () => {
  test("the clock is moved on, to a time, and to the next message", async () => {
    expect(await form("/clock", { advance: "PT1H" })).toMatchObject({
      status: 303,
      headers: { location: "/clock" },
    });
    expect(front.parts.clock.now()).toBe(startedAt + 3_600_000);
    await form("/clock", { local: "2026-11-21T12:30" });
    expect(front.parts.clock.now()).toBe(startedAt + 9_000_000);
    await put(front.store, scheduled);
    const due = /name="to" value="([^"]+)"/.exec(await textOf("/clock"))?.[1] ?? "";
    await form("/clock", { to: due });
    expect(front.parts.clock.now()).toBe(scheduled.scheduledAt);
  });

  test("the next message may have gone by itself meanwhile", async () => {
    expect((await form("/clock", { to: "2026-11-21T09:00:00.000Z" })).status).toBe(303);
    expect(front.parts.clock.now()).toBe(startedAt);
  });

  test("a time that is over is refused, on a page that says so", async () => {
    const answer = await form("/clock", { local: "2026-11-20T12:30" });
    expect(answer.status).toBe(409);
    expect(answer.body).toContain("The clock does not go back.");
  });

  test("a contact shows what was last said of its consent, without its markup", async () => {
    const now = startedAt;
    await front.store.changeContact({
      ...{ accountId: "bakery", email: "pending@readers.example", now, idempotency: null },
      decide: (contact) => ({
        contact: {
          ...(contact as Contact),
          memberships: (contact?.memberships ?? []).map((membership) => ({
            ...membership,
            consents: [
              ...membership.consents,
              { detail: "Stand at the <b>fair</b>", ip: "203.0.113.7", userAgent: "Till 3", at: now },
            ],
          })),
        },
        response: { status: 200, body: "" },
        result: undefined,
      }),
    });
    const page = await textOf("/contacts");
    expect(page).toContain(
      "UTC: <bdi>Stand at the &lt;b&gt;fair&lt;/b&gt;</bdi> (<bdi>203.0.113.7</bdi>, <bdi>Till 3</bdi>)",
    );
  });

  test("a contact is confirmed", async () => {
    expect(await textOf("/contacts")).toContain("Confirm pending@readers.example for list 1");
    const answer = await form("/contacts/confirm", { email: "pending@readers.example", list_id: "1" });
    expect(answer).toMatchObject({ status: 303, headers: { location: "/contacts?account=bakery" } });
    expect(await textOf("/contacts")).not.toContain("/contacts/confirm");
  });

  test("an address is suppressed, and written to again", async () => {
    await form("/suppressions", {
      account: "florist",
      address: "ada@readers.example",
      reason: "hard bounce",
    });
    expect(await textOf("/suppressions?account=florist")).toContain("ada@readers.example");
    await form("/suppressions/lift", { account: "florist", address: "ada@readers.example" });
    expect(await textOf("/suppressions?account=florist")).toContain("Every address may be written to.");
  });

  test("the sandbox is reset", async () => {
    await put(front.store, receipt);
    expect(await form("/reset", {})).toMatchObject({ status: 303, headers: { location: "/" } });
    expect(await textOf("/")).toContain("No messages yet.");
  });

  test("a form that is not text is refused", async () => {
    expect((await front.ask("POST", "/clock", { body: new Uint8Array([0xff]) })).status).toBe(422);
  });
});
