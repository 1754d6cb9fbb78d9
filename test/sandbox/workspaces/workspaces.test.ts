import { describe, expect, test } from "vitest";
import { script } from "../../../sandbox/pages/script.ts";
import { exchange, parse } from "../http/raw.ts";
import { keys, mail } from "../rig.ts";
import { temporaryFolder } from "../store/sample.ts";
import { started } from "./started.ts";

describe("a workspace", () => {
  test("has the accounts of the sandbox, at a URL of its own", async () => {
    const { send, create, sandbox } = await started();
    const workspace = await create({ lifetime: "PT1H" });
    expect(workspace.url).toBe(`${sandbox.url}/workspaces/${workspace.id}`);
    expect(Date.parse(workspace.expires_at) - Date.parse(workspace.created_at)).toBe(3_600_000);
    expect(workspace.keys).toContainEqual({ account: "bakery", label: expect.any(String), key: keys.all });
    expect((await send("GET", `${workspace.url}/api/v1/me`, undefined, keys.all)).status).toBe(200);
    expect((await send("GET", `${workspace.url}/api/v1/nothing`, undefined, keys.all)).status).toBe(404);
    expect((await send("GET", "/sandbox/workspaces")).body.workspaces).toHaveLength(1);
  });

  test("sees no mail, clock, failure, suppression or rate window of another", async () => {
    const { send, create, sandbox } = await started();
    const [one, other] = [await create(), await create()];
    const sent = await send("POST", `${one.url}/api/v1/emails`, mail(), keys.all);
    expect(sent.status).toBe(202);
    await send("POST", `${one.url}/sandbox/clock`, { advance: "PT1H" });
    await send("POST", `${one.url}/sandbox/failures`, { failure: "503", requests: 5 });
    await send("POST", `${one.url}/sandbox/suppress`, { email: "ada@customers.example" });
    for (const url of [other.url, sandbox.url]) {
      const me = `${url}/api/v1/emails/${sent.body.id}`;
      expect((await send("GET", me, undefined, keys.all)).status).toBe(404);
      expect((await send("GET", `${url}/sandbox/outbox`)).body.messages).toEqual([]);
      expect((await send("GET", `${url}/sandbox/failures`)).body.failures).toEqual([]);
    }
    const [moved, still] = await Promise.all(
      [one, other].map(async ({ url }) => (await send("GET", `${url}/sandbox/clock`)).body.now),
    );
    expect(Date.parse(moved) - Date.parse(still)).toBe(3_600_000);
  });

  test("may bring accounts of its own, and keeps them when it is reset", async () => {
    const { send, create } = await started();
    const seed = { accounts: [{ id: "team", keys: [{ key: "team_key_1" }] }] };
    const { url, keys: own } = await create({ seed });
    expect(own).toEqual([{ account: "team", label: "team_key_1", key: "team_key_1" }]);
    const me = () => send("GET", `${url}/api/v1/me`, undefined, "team_key_1");
    expect((await me()).status).toBe(200);
    expect((await send("POST", `${url}/sandbox/reset`)).status).toBe(200);
    expect((await me()).status).toBe(200);
    expect((await send("GET", `${url}/api/v1/me`, undefined, keys.all)).status).toBe(401);
  });

  test("has pages whose links and forms stay in it", async () => {
    const { send, create } = await started();
    const { url, id } = await create();
    await send("POST", `${url}/api/v1/emails`, mail(), keys.all);
    const { text } = await send("GET", `${url}/`);
    const links = [...text.matchAll(/ (?:href|action)="(\/[^"]*)"/g)].map(([, link]) => link);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((link) => !link?.startsWith(`/workspaces/${id}/`))).toEqual([]);
    const advance = await fetch(`${url}/clock`, {
      method: "POST",
      body: "advance=PT1M",
      redirect: "manual",
    });
    expect(advance.headers.get("location")).toBe(`/workspaces/${id}/clock`);
  });

  test("has its own URL in the first request and in the link of a confirmation email", async () => {
    const { send, create } = await started();
    const { url } = await create();
    const page = (await send("GET", `${url}/`)).text;
    expect(page).toContain(`curl -i -X POST ${url}/api/v1/emails`);
    expect(page).toContain(`<script>${script}</script>`);
    const email = "new@readers.example";
    await send("POST", `${url}/api/v1/newsletter/contacts`, { email, list_id: 1 }, keys.all);
    const [message] = (await send("GET", `${url}/sandbox/outbox`)).body.messages;
    const { pathname } = new URL(url);
    const [, link = ""] =
      /<a href="([^"]+\/confirm\?[^"]+)">/.exec((await send("GET", `${url}/messages/${message.id}`)).text) ??
      [];
    expect(link.startsWith(`${pathname}/confirm?`)).toBe(true);
    const confirmed = await send("GET", new URL(link.replaceAll("&amp;", "&"), url).href);
    expect(confirmed.text).toContain("is subscribed to");
  });

  test("cannot create workspaces", async () => {
    const { send, create } = await started();
    const { url } = await create();
    expect((await send("POST", `${url}/sandbox/workspaces`, {})).status).toBe(404);
  });
});

describe("the end of a workspace", () => {
  test("comes when it is deleted", async () => {
    const { send, create } = await started();
    const { url, id } = await create();
    expect((await send("DELETE", `/sandbox/workspaces/${id}`)).status).toBe(200);
    expect((await send("GET", `${url}/api/v1/me`, undefined, keys.all)).status).toBe(404);
    expect((await send("DELETE", `/sandbox/workspaces/${id}`)).status).toBe(404);
  });

  test("comes by itself after its lifetime, in real time", async () => {
    const { send, create } = await started();
    const { url } = await create({ lifetime: "PT1S" });
    expect((await send("GET", `${url}/api/v1/me`, undefined, keys.all)).status).toBe(200);
    await expect
      .poll(async () => (await send("GET", `${url}/api/v1/me`, undefined, keys.all)).status, {
        timeout: 3_000,
      })
      .toBe(404);
    expect((await send("GET", "/sandbox/workspaces")).body.workspaces).toEqual([]);
  });
});

test.each([
  [{ lifetime: "PT0S" }, "`lifetime` must be from 1 second to 28 days (got"],
  [{ lifetime: "P31D" }, "`lifetime` must be from 1 second to 28 days (got"],
  [{ lifetime: "soon" }, "lifetime"],
  [
    {
      seed: {
        accounts: [
          { id: "team", keys: [] },
          { id: "team", keys: [] },
        ],
      },
    },
    "must be unique",
  ],
  [{ seed: "demo" }, "seed"],
])("%j is rejected", async (body, problem) => {
  const { send } = await started();
  const { status, text } = await send("POST", "/sandbox/workspaces", body);
  expect([status, text]).toEqual([422, expect.stringContaining(problem)]);
});

test("workspaces in a data folder survive a restart, with their accounts and mail", async () => {
  const data = temporaryFolder();
  const first = await started({ data });
  const seed = {
    accounts: [{ id: "team", keys: [{ key: "team_key_1" }], domains: [{ name: "team.example" }] }],
  };
  const { id } = await first.create({ seed });
  const path = `/workspaces/${id}/api/v1/emails`;
  const { body } = await first.send("POST", path, mail({ from: "a@team.example" }), "team_key_1");
  await first.sandbox.close();
  const second = await started({ data });
  expect((await second.send("GET", `${path}/${body.id}`, undefined, "team_key_1")).status).toBe(200);
});

test.each(["..%2f..%2f..", "x%2F..%2F..", "own", "0123456789abcdef0123"])(
  "deleting the unknown workspace %s deletes nothing",
  async (id) => {
    const data = temporaryFolder();
    const { send, create, sandbox } = await started({ data });
    const { url } = await create();
    expect((await send("DELETE", `/sandbox/workspaces/${id}`)).status).toBe(404);
    expect((await send("GET", `${url}/api/v1/me`, undefined, keys.all)).status).toBe(200);
    await sandbox.close();
    const again = await started({ data });
    expect((await again.send("GET", "/sandbox/workspaces")).body.workspaces).toHaveLength(1);
  },
);

test("a workspace that cannot be opened does not stay", async () => {
  const { send } = await started();
  const { status, text } = await send("POST", "/sandbox/workspaces", { start_at: "1960-01-01T00:00:00Z" });
  expect([status, text]).toEqual([422, expect.stringContaining("start_at")]);
  expect((await send("GET", "/sandbox/workspaces")).body.workspaces).toEqual([]);
});

test("a request to a proxy, with a whole URL as its target, reaches the workspace", async () => {
  const { create } = await started();
  const { id, url } = await create();
  const target = `http://elsewhere.example/workspaces/${id}/sandbox/requests?limit=1`;
  const head = `GET ${target} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: close\r\n\r\n`;
  const response = parse(await exchange(url, head));
  expect([response?.status, response?.text]).toEqual([200, expect.stringContaining('"requests"')]);
});
