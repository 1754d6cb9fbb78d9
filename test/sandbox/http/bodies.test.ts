import { describe, expect, test } from "vitest";
import { mail, startRig } from "../rig.ts";
import { expectUnreadable, head } from "./bytes.ts";
import { checkRaw, exchange } from "./raw.ts";

describe("bodies", () => {
  const post = (body: string, more: string) =>
    head("POST /api/v1/emails", `Content-Type: application/json\r\n${more}`) + body;

  test("one in chunks is put together", async () => {
    const { sandbox } = await startRig();
    const [one, two] = [JSON.stringify(mail()).slice(0, 20), JSON.stringify(mail()).slice(20)];
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const bytes = post(`${chunk(one)}${chunk(two)}0\r\n\r\n`, "Transfer-Encoding: chunked\r\n");
    expect(checkRaw("POST", "/api/v1/emails", await exchange(sandbox.url, bytes))?.status).toBe(202);
  });

  test("one that does not come in time is given up", async () => {
    const { sandbox } = await startRig({ requestTimeout: 100 });
    expectUnreadable(await exchange(sandbox.url, post("{", "Content-Length: 100\r\n")));
  });

  test("headers that do not come in time are given up", async () => {
    const { sandbox } = await startRig({ requestTimeout: 100 });
    expectUnreadable(await exchange(sandbox.url, "GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nX-A"));
  });

  test.each([
    ["", "Content-Length: 100\r\n"],
    ["with an upgrade ", "Content-Length: 100\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"],
    ["in chunks with an upgrade ", "Transfer-Encoding: chunked\r\nUpgrade: websocket\r\n"],
  ])("one %sthat breaks off closes the connection at once and has no effect", async (_name, more) => {
    const { sandbox, get } = await startRig();
    const read = await exchange(sandbox.url, post('{"from":', more), false);
    if (read !== "") expectUnreadable(read);
    expect((await get("/api/v1/me")).status).toBe(200);
    expect(await sandbox.outbox.messages()).toEqual([]);
  });

  test.each([
    ["no body", "", "Content-Length: 0\r\n"],
    ["text", '"a"', "Content-Length: 3\r\n"],
    ["a list", "[]", "Content-Length: 2\r\n"],
    ["broken UTF-8", "{\xff}", "Content-Length: 3\r\n"],
    ["half of JSON", "{", "Content-Length: 1\r\n"],
    ["a byte order mark", "\xef\xbb\xbf{}", "Content-Length: 5\r\n"],
  ])("%s is rejected as the field body", async (_name, body, more) => {
    const { sandbox } = await startRig();
    const read = await exchange(sandbox.url, Buffer.from(post(body, more), "latin1"));
    const response = checkRaw("POST", "/api/v1/emails", read);
    expect(Object.keys(JSON.parse(response?.text ?? "").error.fields)).toEqual(["body"]);
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "multipart/form-data",
    "",
  ])("one with the content type %j is rejected", async (type) => {
    const { call } = await startRig();
    const response = await call("POST", "/api/v1/emails", {
      body: mail(),
      headers: { "content-type": type },
    });
    expect([response.status, response.fields]).toEqual([422, ["body"]]);
  });

  test.each(["Application/JSON", "application/json; charset=utf-8", "application/json ;x=y"])(
    "one with the content type %j is read",
    async (type) => {
      const { call } = await startRig();
      const response = await call("POST", "/api/v1/emails", {
        body: mail(),
        headers: { "content-type": type },
      });
      expect(response.status).toBe(202);
    },
  );

  test("one that is nested too deeply is rejected", async () => {
    const { call } = await startRig();
    for (const raw of [
      `{"a":${"[".repeat(1e6)}${"]".repeat(1e6)}}`,
      `${'{"a":'.repeat(1e5)}1${"}".repeat(1e5)}`,
    ]) {
      expect((await call("POST", "/api/v1/emails", { raw })).fields).toEqual(["body"]);
    }
  });

  test.each(["to", "tags", "headers", "attachments", "emails", "variables", "unknown"])(
    "very many entries in %s are rejected or ignored, without as many errors",
    async (name) => {
      const { call } = await startRig();
      const list = `[${"1,".repeat(1e5)}1]`;
      const named = `{${Array.from({ length: 5e4 }, (_, index) => `"n ${index}":1`).join()}}`;
      for (const value of [list, named]) {
        const raw = `{"template_id":"order-ready","from":"a@bakery.example","to":["b@x.example"],"${name}":${value}}`;
        const path = name === "emails" ? "/api/v1/emails/batch" : "/api/v1/emails";
        const response = await call("POST", path, { raw });
        expect(response.status).toBe(name === "unknown" ? 202 : 422);
        expect(response.text.length).toBeLessThan(2000);
      }
    },
  );
});
