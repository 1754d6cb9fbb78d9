import { hash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { html } from "../../../lib/html.ts";
import { script } from "../../../sandbox/pages/components.ts";
import { withInlineImages } from "../../../sandbox/pages/message.ts";
import { put, startedAt, type TestSite } from "../control/test-site.ts";
import { keys, mail, type Rig, startRig } from "../rig.ts";
import { bounced, hostile, openPages, type PageReader, receipt, requests } from "./samples.ts";

let site: TestSite;
let textOf: PageReader;
beforeEach(async () => {
  ({ site, textOf } = await openPages());
});

describe("the template", () => {
  test("inserted texts are escaped, in text and in attributes", () => {
    expect(html`<p title="${`"'<>&`}">${"<script>"}</p>`.text).toBe(
      '<p title="&quot;&#39;&lt;&gt;&amp;">&lt;script&gt;</p>',
    );
  });

  test("templates, lists of them and empty values can be inserted", () => {
    expect(html`${[html`<b>`, "<"]}${null}${undefined}${false}${0}`.text).toBe("<b>&lt;0");
  });
});

describe("the pages", () => {
  test("the outbox lists messages in pages, newest first", async () => {
    for (let index = 10; index < 40; index += 1)
      await put(site.store, { id: `msg_${index}`, createdAt: startedAt + index });
    const first = await textOf("/");
    expect(first.indexOf("msg_39")).toBeLessThan(first.indexOf("msg_38"));
    expect(first).not.toContain("msg_14");
    const older = /href="(\/\?before=[^"]+)"/.exec(first)?.[1] ?? "";
    expect(await textOf(older)).toContain("msg_14");
  });

  test("the outbox can be searched, and its next page keeps the search", async () => {
    for (let index = 10; index < 40; index += 1)
      await put(site.store, { id: `msg_${index}`, to: [`ada${index % 2}@readers.example`] });
    await put(site.store, { id: "msg_other", to: ["grace@readers.example"] });
    expect(await textOf("/?search=GRACE")).toContain("msg_other");
    expect(await textOf("/?search=GRACE")).not.toContain("msg_39");
    for (let index = 40; index < 60; index += 1)
      await put(site.store, { id: `msg_${index}`, to: ["ada1@readers.example"] });
    const first = await textOf("/?search=ada1");
    const older = /href="(\/\?search=ada1&amp;before=[^"]+)"/.exec(first)?.[1] ?? "";
    const second = await textOf(older.replaceAll("&amp;", "&"));
    expect(second).toContain("msg_11");
    expect(second).not.toContain("msg_12");
    expect(await textOf("/?search=nobody")).toContain("No message with “<bdi>nobody</bdi>”");
  });

  test("the outbox shows the messages and keys of the account and a first request, for the host of the page", async () => {
    const page = await textOf("/");
    expect(page).toContain("curl -i -X POST http://127.0.0.1:4020/api/v1/emails");
    for (const key of ["sandbox_all_2f7c", "sandbox_other_77a2", "sandbox_small_quota_84b7"])
      expect(page).toContain(`<code>${key}</code>`);
    await put(site.store, { id: "msg_bakery" });
    await put(site.store, { id: "msg_florist", accountId: "florist" });
    const florist = await textOf("/?account=florist");
    expect(florist).toContain("msg_florist");
    expect(florist).not.toContain("msg_bakery");
    expect(florist).toContain("API keys of <bdi>Florist</bdi>");
    expect(florist).toContain("Bearer sandbox_other_77a2");
  });

  test("the page of a message shows all its properties", async () => {
    await put(site.store, receipt);
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

  test("a bounced message shows the reason", async () => {
    await put(site.store, bounced);
    expect(await textOf("/messages/msg_bounced")).toContain("Take the address off your lists.");
  });

  test("a message that the SMTP server did not accept says so", async () => {
    const failed = { type: "relay_failed", at: 0, detail: "451 Later" };
    await put(site.store, { ...receipt, events: [failed] });
    const warning = "The SMTP server did not accept the message: 451 Later";
    expect(await textOf("/messages/msg_receipt")).toContain(warning);
    expect((await site.json("GET", "/sandbox/outbox/msg_receipt")).body.warnings).toContain(warning);
  });

  test("an attachment is saved byte for byte, and never shown", async () => {
    await put(site.store, receipt);
    const { headers, body } = await site.request("GET", "/messages/msg_receipt/attachments/1");
    expect(Buffer.from(body).toString()).toBe("Two loaves");
    expect(headers).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="receipt 1042.txt"; filename*=UTF-8''receipt%201042.txt`,
      "x-content-type-options": "nosniff",
    });
  });

  test("a file name truncated within a surrogate pair can be saved", async () => {
    const filename = `${"a".repeat(199)}😀.txt`;
    const content = { ...receipt.content, attachments: [{ filename, content: "MQ==" }] };
    await put(site.store, { ...receipt, content } as typeof receipt);
    const { status, headers } = await site.request("GET", "/messages/msg_receipt/attachments/0");
    expect(status).toBe(200);
    expect(headers["content-disposition"]).toContain(`filename*=UTF-8''${"a".repeat(199)}`);
  });

  test.for([
    "/messages/msg_none",
    "/messages/%ff",
    "/messages/msg_receipt/attachments/2",
    "/messages/msg_receipt/attachments/9",
  ])("%s is a 404", async (target) => {
    await put(site.store, receipt);
    expect((await site.request("GET", target)).status).toBe(404);
  });

  test("any other method is rejected with 405", async () => {
    expect(await site.request("PUT", "/clock")).toMatchObject({
      status: 405,
      headers: { allow: "GET, POST" },
    });
    expect(await site.request("POST", "/requests")).toMatchObject({ status: 405, headers: { allow: "GET" } });
    expect(await site.request("GET", "/reset")).toMatchObject({ status: 405, headers: { allow: "POST" } });
  });

  test.for(["/", "/requests", "/contacts", "/suppressions", "/clock", "/failures", "/control"])(
    "%s allows only the script of the pages, and cannot be framed",
    async (target) => {
      const { headers, body } = await site.request("GET", target);
      const policy = headers["content-security-policy"] ?? "";
      const scripts = [...String(body).matchAll(/<script>(.+?)<\/script>/gs)].map(([, text = ""]) => text);
      expect(scripts).toEqual([script]);
      expect(policy).toContain(`script-src 'sha256-${hash("sha256", script, "base64")}';`);
      expect(policy).toContain("connect-src 'self';");
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
    },
  );
});

describe("text of users is never markup", () => {
  test.for([
    "/",
    "/messages/msg_hostile",
    "/messages/msg_hostile?view=text",
    "/messages/msg_hostile?view=source",
    "/messages/msg_hostile?view=headers",
    "/requests",
    "/requests/req_3",
    "/requests/req_4",
    "/?search=<script>alert(1)</script>",
    "/?search=x%22%20autofocus%20onfocus=alert(1)%3E<b>",
    "/confirm?email=<script>&list_id=<b>&token=<svg>",
    "/contacts?account=<script>",
    `/messages/${encodeURIComponent("<script>alert(1)</script>")}`,
  ])("%s", async (target) => {
    await put(site.store, hostile);
    for (const request of requests) site.store.logRequest(request);
    const { body } = await site.request("GET", target);
    const page = String(body).replace(`<script>${script}</script>`, "");
    expect(page).not.toMatch(/<script|<img|<svg|<b>/);
  });

  test("a long text is truncated", async () => {
    await put(site.store, hostile);
    const page = await textOf("/messages/msg_hostile?view=text");
    expect(page.length).toBeLessThan(130_000);
    expect(page).toContain("Truncated after 100000 characters");
  });

  test("a file name cannot break out of its header", async () => {
    await put(site.store, hostile);
    const { headers } = await site.request("GET", "/messages/msg_hostile/attachments/0");
    expect(headers["content-disposition"]).toMatch(
      /^attachment; filename="[\w .()+-]+"; filename\*=UTF-8''[\w.!~%-]+$/,
    );
  });

  test("the frame of a message is sandboxed", async () => {
    await put(site.store, hostile);
    const { headers } = await site.request("GET", "/messages/msg_hostile/html");
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

  test("they replace the references in the HTML, and no others", () => {
    const given = '<img src="cid:logo@shop"><img src=cid:logo%40shop><img src="cid:other">';
    expect(withInlineImages(given, [image])).toBe(
      '<img src="data:image/png;base64,aGVsbG8="><img src=data:image/png;base64,aGVsbG8=><img src="cid:other">',
    );
  });

  test("the size of all inserted images is limited", () => {
    const large = { ...image, content: "A".repeat(40 * 1024 * 1024) };
    const shown = withInlineImages('<img src="cid:logo@shop"><img src="cid:logo@shop">', [large]);
    expect(shown.slice(-40)).toContain('"><img src="cid:logo@shop">');
    expect(shown.length).toBeLessThan(64 * 1024 * 1024);
  });

  test("only images are inserted", () => {
    const attachments = [
      { ...image, content_type: "text/html" },
      { ...image, content_type: 'image/png" onload="alert(1)' },
    ];
    expect(withInlineImages('<img src="cid:logo@shop">', attachments)).toBe('<img src="cid:logo@shop">');
  });
});

const pageOf = async ({ sandbox }: Rig, path: string): Promise<string> => (await sandbox.fetch(path)).text();

/** The path of the page of the request that got a response. */
const pathOf = ({ headers }: { headers: Record<string, string> }): string =>
  `/requests/${headers["x-service-request-id"]}`;

describe("an entry of the request log leads to", () => {
  test("all messages that were sent, and the one that it was about", async () => {
    const rig = await startRig();
    const sent = await rig.post("/api/v1/emails/batch", { emails: [mail(), mail(), mail()] });
    const links = sent.body.data.map(({ id }: { id: string }) => `href="/messages/${id}"`);
    const [page, list] = [await pageOf(rig, pathOf(sent)), await pageOf(rig, "/requests")];
    for (const link of links) expect(page).toContain(link);
    expect(list).toContain(links[0]);
    expect(list).toContain("and 2 more");
    const found = await rig.get(`/api/v1/emails/${sent.body.data[0].id}`);
    expect(await pageOf(rig, pathOf(found))).toContain(links[0]);
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
