import { describe, expect, test } from "vitest";
import type { HandledRequest } from "../../../sandbox/index.ts";
import { keys, mail } from "../rig.ts";
import { started } from "./started.ts";

const email = "new@readers.example";

describe("in a workspace", () => {
  test("a confirmation email names the pages and the control API of the workspace", async () => {
    const { send, create } = await started();
    const { url } = await create();
    await send("POST", `${url}/api/v1/newsletter/contacts`, { email, list_id: 1 }, keys.all);
    const [{ id }] = (await send("GET", `${url}/sandbox/outbox`)).body.messages;
    const { text } = (await send("GET", `${url}/sandbox/outbox/${id}`)).body;
    expect(text).toContain(`${url}/confirm?`);
    expect(text).toContain(`the page ${url}/contacts confirms`);
    const [, target = "", body = ""] = /POST (\S+) (\{.+\})/.exec(text) ?? [];
    expect((await send("POST", target, JSON.parse(body))).body.status).toBe("subscribed");
  });

  test("the path of a message as .eml leads to it", async () => {
    const { send, create, sandbox } = await started();
    const { url, id } = await create();
    await send("POST", `${url}/api/v1/emails`, mail(), keys.all);
    const [{ eml }] = (await send("GET", `${url}/sandbox/outbox`)).body.messages;
    expect(eml).toMatch(new RegExp(`^/workspaces/${id}/sandbox/outbox/.+\\.eml$`));
    expect((await send("GET", sandbox.url + eml)).text).toContain("Subject: Your order");
    expect((await send("GET", url + eml.replace(/^.*(?=\/sandbox)/, "").replace(".eml", ""))).body.eml).toBe(
      eml,
    );
  });

  test("errors name the paths of the workspace", async () => {
    const { send, create } = await started();
    const { url, id } = await create();
    const { error } = (await send("GET", `${url}/sandbox/outbox/none`)).body;
    expect(error.hint).toBe(`List the messages with GET /workspaces/${id}/sandbox/outbox.`);
    expect((await send("GET", `${url}/sandbox/none`)).text).toContain(`at /workspaces/${id}/sandbox/none.`);
    const unknown = await send("DELETE", `${url}/sandbox/failures`, { all: true });
    expect(unknown.body.error.hint).toBe(`DELETE /workspaces/${id}/sandbox/failures takes no property.`);
    expect((await send("PUT", `${url}/contacts`)).text).toContain(`/workspaces/${id}/contacts does not`);
    expect((await send("GET", `${url}/sandbox/`)).body.base_url).toBe(url);
  });

  test("a line of the log has the workspace, and the real time besides that of its clock", async () => {
    const requests: HandledRequest[] = [];
    const { send, create, sandbox } = await started({ onRequest: (request) => requests.push(request) });
    const { url, id } = await create({ frozen: true, start_at: "2040-01-01T00:00:00Z" });
    await send("GET", `${url}/api/v1/me`, undefined, keys.all);
    await send("GET", "/api/v1/me", undefined, keys.all);
    expect(requests.map(({ workspace }) => workspace)).toEqual([id, null]);
    expect(requests[0]?.at).toBe(Date.parse("2040-01-01T00:00:00Z"));
    expect(Math.abs((requests[0]?.time ?? 0) - Date.now())).toBeLessThan(60_000);
    await sandbox.close();
  });
});

describe("the id of no workspace", () => {
  test.each(["0123456789abcdef0123", "Mistyped"])("%s is named, in the form of the request", async (id) => {
    const requests: HandledRequest[] = [];
    const { send } = await started({ onRequest: (request) => requests.push(request) });
    const message = `There is no workspace "${id}"; it may have expired.`;
    const api = await send("GET", `/workspaces/${id}/api/v1/me`, undefined, keys.all);
    expect([api.status, api.body.error.type]).toEqual([404, "not_found"]);
    expect(api.body.error.message).toContain(message);
    expect(requests).toMatchObject([{ path: `/workspaces/${id}/api/v1/me`, status: 404, workspace: null }]);
    const control = await send("GET", `/workspaces/${id}/sandbox/outbox`);
    expect([control.status, control.body.error.message]).toEqual([404, message]);
    const page = await send("GET", `/workspaces/${id}/contacts`);
    expect([page.status, page.text]).toEqual([404, expect.stringContaining("<!doctype html>")]);
    expect(page.text).toContain(id);
    expect((await send("GET", "/requests")).text).toContain(`/workspaces/${id}/api/v1/me`);
  });
});
