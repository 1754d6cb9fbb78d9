import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Sandbox, startSandbox } from "../../sandbox/index.ts";
import { type Agent, startAgent } from "./agent.ts";

const abortable = () => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
};

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(10);
}

/** It has the operation getMe alone. */
const driver = "node scripts/client-suite/templates/driver.ts";
let agent: Agent;
beforeAll(async () => {
  agent = await startAgent(["--allow-driver", driver, "--allow-driver", "false"]);
});
afterAll(async () => {
  expect(agent.strays).toEqual([]);
  await agent.close();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("there are at most eight tools, each with a description and a schema without other properties", async () => {
  const { tools } = await agent.client.listTools();
  expect(tools.length).toBeLessThanOrEqual(8);
  for (const { name, description, inputSchema } of tools) {
    expect(() => new Ajv().compile(inputSchema), name).not.toThrow();
    expect(description?.length).toBeGreaterThan(40);
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
  }
  await expect(agent.call("search", { query: "a", qeury: "b" })).rejects.toThrow('Unrecognized key: "qeury"');
});

describe("the reference", () => {
  test.each([
    ["display name in from", "SEND-3"],
    ["same idempotency key with another body", "IDEM-2"],
    ["operations that do not exist yet", "guides/testing-a-server#Operations that do not exist yet"],
  ])("a search for %s finds %s among the first results", async (query, id) => {
    expect(await agent.call("search", { query })).toContain(`- ${id}:`);
  });

  test.each([
    ["sendEmial", "Did you mean sendEmail"],
    ["SEND-99", "Did you mean SEND-9 or "],
    ["send_rejcted", "Did you mean send_rejected"],
    ["guides/testing-servers", "Did you mean guides/testing-a-server"],
    ["SendReqest", "Did you mean SendRequest"],
    ["xyzzy", 'xyzzy". Find ids with the tool search.'],
  ])("for a name that does not exist, such as %s, close names are shown: %s", async (id, message) => {
    await expect(agent.call("show", { id })).rejects.toThrow(message);
  });

  test("a search has an offset for more", async () => {
    const first = await agent.call("search", { query: "message" });
    expect(first).toMatch(/\[8 of \d+\. More: offset 8\]$/);
    expect(await agent.call("search", { query: "message", offset: 8 })).not.toContain(first.split("\n")[0]);
    await expect(agent.call("search", { query: "xyzzy" })).rejects.toThrow("Use other words.");
    const far = agent.call("search", { query: "message", offset: 99_999 });
    await expect(far).rejects.toThrow(/^there are only \d+ results\. Leave offset out\.$/);
  });

  test.each([
    ["sendEmail", "`POST /api/v1/emails`"],
    ["GET /emails/{id}", "`GET /api/v1/emails/{id}`"],
    ["send-9", "must not exceed the subject length limit"],
    ["OPEN-2", "Whether `reply_to` may be an array"],
    ["not_found", '"status": 404'],
    ["subjectLength", '"value": 998'],
    ["Subject", '"maxLength": 998'],
    ["guides/testing-a-server#Choose a profile", "Default for your own server"],
    ["errors", "Error responses have this body"],
  ])("%s is shown", async (id, part) => {
    expect(await agent.call("show", { id })).toContain(part);
  });

  test("a long page comes in parts, with the requirements of the operation at the end", async () => {
    let page = "";
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const part: string = await agent.call("show", { id: "sendEmail", offset });
      expect(part.length).toBeLessThan(9700);
      const [end, next] = /\n\[\d+ of \d+ characters\. More: offset (\d+)\]$/.exec(part) ?? [];
      page += end === undefined ? part : part.slice(0, -end.length);
      offset = next === undefined ? undefined : Number(next);
    }
    expect(page).toContain("## Requirements that the suite verifies\n");
    expect(page).toContain("\n- SEND-3 The `from` address has no display name");
    expect(page).not.toMatch(/- (GEN-2|LOG-1) /);
  });
});

describe("the sandbox", () => {
  test("a message is sent, found in the outbox, and delivered by the clock; a reset removes it", async () => {
    expect(await agent.call("sandbox", { action: "start" })).toMatch(/^Sandbox: http:\/\/127\.0\.0\.1:\d+/);
    const body = { from: "hello@bakery.example", to: ["ada@readers.example"], subject: "Mcp", text: "Hi" };
    const sent = await agent.call("request", { method: "POST", path: "/api/v1/emails", body });
    expect(sent).toMatch(/^HTTP 202\n/);
    const id = /"id":"([^"]+)"/.exec(sent)?.[1];
    expect(await agent.call("outbox", { search: "Mcp" })).toContain(`"id": "${id}"`);
    await agent.call("clock", { advance: "PT5M" });
    expect(await agent.call("outbox", { id })).toContain('"status": "delivered"');
    expect(await agent.call("outbox", { id: `${id}.eml` })).toContain("Subject: Mcp");
    await agent.call("sandbox", { action: "reset" });
    await expect(agent.call("outbox", { id })).rejects.toThrow(/responds with 404.*There is no message/s);
  });

  test("another sandbox can be used, and its messages are those of the tools", async () => {
    const sandbox = await startSandbox();
    onTestFinished(async () => {
      await agent.call("sandbox", { action: "start" });
      await sandbox.close();
    });
    expect(await agent.call("sandbox", { action: "start", url: `${sandbox.url}/` })).toContain(sandbox.url);
    await agent.call("clock", { advance: "P1D" });
    expect(sandbox.clock.now()).toBeGreaterThan(Date.now() + 80_000_000);
  });

  test("the URL of something else is rejected, and the sandbox in use stays", async () => {
    for (const [status, text] of [
      [404, ""],
      [200, "<h1>Hello</h1>"],
      [200, '{"ok":true}'],
      [200, "null"],
      [200, "[]"],
    ] as const) {
      const url = await listen(createServer((_, response) => response.writeHead(status).end(text)));
      const start = agent.call("sandbox", { action: "start", url });
      await expect(start).rejects.toThrow(
        `${url} is not a sandbox: it responds with ${status}, without the time of a clock. Give the URL of`,
      );
      expect(await agent.call("request", { path: "/api/v1/me" })).toMatch(/^HTTP 200/);
    }
  });

  test("two first calls at once use one sandbox", async () => {
    const other = await startAgent();
    onTestFinished(other.close);
    const send = (subject: string) => {
      const body = { from: "hello@bakery.example", to: ["ada@readers.example"], subject, text: "Hi" };
      return other.call("request", { method: "POST", path: "/api/v1/emails", body });
    };
    await Promise.all([send("First"), send("Second")]);
    expect(await other.call("outbox")).toMatch(/Second.*First|First.*Second/s);
  });

  test("a header that is given replaces that of the key", async () => {
    const headers = { Authorization: "Bearer sandbox_all_2f7c" };
    const asReader = { method: "POST", path: "/api/v1/emails", key: "readOnly", body: {}, headers };
    expect(await agent.call("request", asReader)).toMatch(/^HTTP 422/);
  });

  test("a path starts with a slash, and is needed for the first request", async () => {
    await expect(agent.call("request", { path: "me" })).rejects.toThrow('must start with "/" at path');
    const other = await startAgent();
    onTestFinished(other.close);
    await expect(other.call("request", { offset: 5 })).rejects.toThrow("path is missing. Give it");
  });

  test("a long line is shown as far as other texts", async () => {
    const url = await listen(createServer((_, response) => response.end("x".repeat(20_000))));
    expect((await agent.call("request", { path: "/", base_url: url })).length).toBeGreaterThan(7900);
  });

  test.each([
    [{ path: "/", base_url: "file:///etc/passwd" }, "must be an http or https URL at base_url"],
    [{ path: "/", method: "GE T" }, "Check base_url, method and headers."],
    [{ path: "/", base_url: "http://192.0.2.1" }, "The host 192.0.2.1 is not allowed."],
  ])("a request that cannot be sent says why: %o", async (input, message) => {
    await expect(agent.call("request", input)).rejects.toThrow(message);
  });

  test("errors of the sandbox name tools, not its requests", async () => {
    await expect(agent.call("clock", { advance: "1h" })).rejects.toThrow(
      /^(?!.*POST).*Example: the tool clock \{\\"advance/s,
    );
    await expect(agent.call("clock", { to: "2020-01-01T00:00:00Z" })).rejects.toThrow(
      "Reset the sandbox with the tool sandbox (reset).",
    );
    await expect(agent.call("outbox", { id: "msg_0" })).rejects.toThrow(
      "List the messages with the tool outbox.",
    );
  });

  test("keys have roles; accounts lists all of them", async () => {
    expect(await agent.call("request", { path: "/api/v1/me", key: "none" })).toMatch(/^HTTP 401/);
    const asReader = { method: "POST", path: "/api/v1/emails", key: "readOnly", body: {} };
    expect(await agent.call("request", asReader)).toContain('"type":"forbidden"');
    const accounts = await agent.call("sandbox", { action: "accounts" });
    expect(accounts).toContain("sandbox_all_2f7c");
    expect(accounts).toContain("note_19");
    expect(accounts).toContain('"noPlan": "sandbox_');
  });

  test("a text is sent unchanged, and the rest of a long response follows with an offset", async () => {
    const send = { method: "POST", path: "/api/v1/emails", body: "{" };
    expect(await agent.call("request", send)).toMatch(/^HTTP (400|422)/);
    await agent.call("request", { path: "/", headers: { accept: "text/html" } });
    const url = await listen(createServer((_, response) => response.end("line\n".repeat(3000))));
    expect(await agent.call("request", { path: "/long", base_url: url })).toContain("More: offset ");
    expect(await agent.call("request", { offset: 15_000 })).toMatch(/line\n$/);
  });
});

describe("runs", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());

  /** The sandbox without the header that every response has. */
  const faulty = (): Promise<string> =>
    listen(
      createServer(async (request, response) => {
        const chunks = await request.toArray();
        const { method = "GET", url = "", headers } = request;
        const body = chunks.length === 0 ? null : Buffer.concat(chunks);
        const sent = {
          authorization: headers.authorization ?? "",
          "content-type": headers["content-type"] ?? "",
        };
        const received = await sandbox.fetch(url, { method, headers: sent, body });
        received.headers.delete("x-service-request-id");
        response.writeHead(received.status, Object.fromEntries(received.headers)).end(await received.text());
      }),
    );

  test("without a run there is nothing to wait for", async () => {
    await expect(agent.call("test")).rejects.toThrow("Give base_url or driver.");
  });

  test("a failure is a finding, which explain shows with its requests", async () => {
    const result = await agent.call("test", { base_url: await faulty(), grep: "SEND-3" });
    expect(result).toMatch(/fail/);
    expect(result).toMatch(/\n1\. HEAD-1 .*\n +The header x-service-request-id is missing/);
    const explained = await agent.call("explain", { id: "1" });
    expect(explained).toContain("cause     The header x-service-request-id is missing");
    expect(explained).toContain('"method": "');
    expect(await agent.call("explain", { id: "head-1" })).toBe(explained);
    expect(await agent.call("explain", { id: "SEND-3" })).toContain('"verdict": "pass"');
    expect(await agent.call("explain")).toBe(result);
    await expect(agent.call("explain", { id: "SEND-999" })).rejects.toThrow("Call explain without id.");
  });

  test("an operation that always responds with 404 comes with the setting that takes it out of the run", async () => {
    const missing = createServer(async (request, response) => {
      const { url = "", method = "GET", headers } = request;
      const sent = { authorization: headers.authorization ?? "" };
      const received = await sandbox.fetch(url.includes("lists") ? "/api/v1/none" : url, {
        method,
        headers: sent,
      });
      response.writeHead(received.status, Object.fromEntries(received.headers)).end(await received.text());
    });
    const result = await agent.call("test", { base_url: await listen(missing), grep: "listNewsletterLists" });
    const setting = "`notImplemented: [listNewsletterLists]` takes it out of the run";
    expect(result.replaceAll(/\s+/g, " ")).toContain(setting);
    const explained = await agent.call("explain", { id: "1" });
    expect(explained.replaceAll(/\s+/g, " ")).toContain(setting);
  });

  test.each([
    ["", "127.0.0.1"],
    ["/", "127.0.0.1"],
    ["", "localhost"],
  ])(
    "the own sandbox passes, with its hooks and fields, by its URL with '%s' at its end and the host %s",
    async (end, host) => {
      const [, url = ""] = /Sandbox: (\S+)/.exec(await agent.call("sandbox", { action: "start" })) ?? [];
      const base_url = url.replace("127.0.0.1", host) + end;
      const result = await agent.call("test", { base_url, grep: "ERR-13,CONT-10" });
      expect(result).toMatch(/^(\d+) of \1 requirements pass\./);
      expect(result).not.toContain("not verified");
    },
  );

  test("one run at a time: another one is not started", async () => {
    const send = { base_url: sandbox.url, grep: "SEND-3" };
    const running = agent.call("test", send);
    await expect(agent.call("test", send)).rejects.toThrow(
      /^a run is in progress: (no test case is done yet|\d of \d test cases)\. Call test without arguments to wait for it\.$/,
    );
    await expect(agent.call("explain")).rejects.toThrow("a run is in progress");
    expect(await agent.call("test")).toBe(await running);
    expect(await agent.call("test")).toBe(await running);
  });

  test("results and errors name tools and their fields, and no options or reports of the command line", async () => {
    const rejects = createServer((_, response) =>
      response
        .writeHead(401, { "content-type": "application/json" })
        .end('{"error":{"type":"unauthorized"}}'),
    );
    const base_url = await listen(rejects);
    const texts: string[] = [];
    for (const [input, part] of [
      [{ base_url }, "the key of the sandbox (CONTRACT_API_KEY is not set) with 401"],
      [{ base_url }, "ask the user to set CONTRACT_API_KEY"],
      [{ base_url: `${base_url}/api/v1` }, "baseUrl must not end with /api/v1"],
      [{ settings: { baseUrl: base_url } }, "base_url is missing. Give that of a server"],
      [{ base_url, settings: { colour: 1 } }, "The page guides/testing-a-server describes all settings."],
      [{ base_url, grep: "XYZ-1" }, "Give an id, such as SEND-9: the tool search finds them."],
      [{ base_url, grep: "GEN-2" }, "test with a driver verifies it."],
      [{ base_url, profile: "newsletter", grep: "SEND-9" }, "Use profile core or email or full."],
      [{ driver: "false" }, "the one in guides/testing-a-client."],
      [{ driver, grep: "SEND-9" }, "the tool show says whether a server does."],
      [{ base_url: sandbox.url, grep: "CONT-10" }, "explain with the id of one says why"],
    ] as const) {
      const text = await agent.call("test", input).catch((error: Error) => error.message);
      expect(text.replaceAll(/\s+/g, " ")).toContain(part);
      texts.push(text);
    }
    expect(texts.join("\n")).not.toMatch(/--\w|`email-api-contract|HTML|\.md\b/);
  });

  test("settings are those of a configuration, and a wrong one says so", async () => {
    const input = { base_url: sandbox.url, grep: "SEND-3", settings: { notImplemented: ["sendBatch"] } };
    expect(await agent.call("test", input)).toContain("not implemented: sendBatch");
    const wrong = agent.call("test", { ...input, settings: { notImplemented: ["send"] } });
    await expect(wrong).rejects.toThrow("is not an operation: send");
    await expect(agent.call("test", { ...input, grep: "SEND-999" })).rejects.toThrow("not a requirement");
    expect(await agent.call("show", { id: "settings.hooks" })).toContain('"advanceClock"');
  });

  test("a setting that is not used, or not allowed, is rejected with the reason", async () => {
    const run = (settings: object) => agent.call("test", { base_url: sandbox.url, settings });
    await expect(run({ expectedFailures: "known.yaml" })).rejects.toThrow(
      "must not have expectedFailures: this tool reads no files",
    );
    const hooks = { confirm: { url: "http://192.0.2.1/confirm" } };
    await expect(run({ hooks })).rejects.toThrow("The host 192.0.2.1 is not allowed.");
    await expect(run({ keys: { full: "HOME" } })).rejects.toThrow("must start with CONTRACT_");
  });

  test("a mailbox in the settings is not left out, and explain says what a run leaves out", async () => {
    const input = { base_url: sandbox.url, grep: "SEND-9" };
    expect(await agent.call("test", input)).toContain("without mailbox, pages and attachmentHash");
    expect(await agent.call("explain", { id: "SEND-11" })).toContain("without mailbox, pages");
    const withMailbox = { ...input, settings: { mailbox: { smtp: 2525 } } };
    expect(await agent.call("test", withMailbox)).toContain("without pages and attachmentHash");
  });

  test("an allowed driver is tested, another one is not started", async () => {
    expect(await agent.call("test", { driver, grep: "AUTH-1" })).toMatch(/^\d of \d+ requirements? pass/);
    await expect(agent.call("test", { driver: `${driver} --x` })).rejects.toThrow(
      "Only the user can allow it",
    );
  });

  describe("that are canceled", () => {
    /** Starts a run, and cancels it once something has happened. */
    async function canceled(one: Agent, input: Record<string, unknown>, isRunning: Promise<unknown>) {
      const { signal, abort } = abortable();
      const request = { name: "test", arguments: input };
      const call = one.client.callTool(request, undefined, { signal });
      await isRunning;
      abort();
      await expect(call).rejects.toThrow();
    }

    test("end soon while the server does not respond, and the next run starts", async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const url = await listen(createServer(() => resolve()));
      await canceled(agent, { base_url: url, grep: "SEND-3" }, promise);
      await expect(agent.call("test")).rejects.toThrow("the run was canceled. Give base_url or driver");
      await expect(agent.call("explain")).rejects.toThrow("no run has ended yet");
      expect(await agent.call("test", { base_url: sandbox.url, grep: "SEND-3" })).toMatch(/^1 of 1 /);
    });

    test("end while they wait for the rate limit, and a later call can cancel them", async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const limited = createServer((_, response) => {
        resolve();
        response
          .writeHead(429, { "content-type": "application/json", "retry-after": "60" })
          .end('{"error":{"type":"rate_limited","message":"Wait.","request_id":"req_1"}}');
      });
      await canceled(agent, { base_url: await listen(limited), grep: "SEND-3" }, promise);
      await canceled(agent, {}, Promise.resolve()).catch(() => {});
      expect(await agent.call("test", { base_url: sandbox.url, grep: "SEND-3" })).toMatch(/^1 of 1 /);
    });

    test("leave no process of a driver, whether it starts or is called", async () => {
      const folder = await mkdtemp(join(tmpdir(), "test-"));
      onTestFinished(() => rm(folder, { recursive: true }));
      const [file, pids] = [join(folder, "driver.mjs"), join(folder, "pids")];
      const first = JSON.stringify({ protocol: 1, client: "silent", operations: ["getMe"] });
      for (const line of ["", `console.log(${JSON.stringify(first)});`]) {
        await writeFile(
          file,
          `import { appendFileSync } from "node:fs";
          ${line}
          appendFileSync(${JSON.stringify(pids)}, process.pid + "\\n");
          setInterval(() => {}, 1000);
          process.stdin.resume();`,
        );
        const silent = `true && node ${file}`;
        const own = await startAgent(["--allow-driver", silent, "--allow-driver", driver]);
        onTestFinished(own.close);
        await canceled(
          own,
          { driver: silent, grep: "ME-1" },
          until(() => existsSync(pids)),
        );
        expect(await own.call("test", { driver, grep: "AUTH-1" })).toMatch(/^\d of \d+ requirements? pass/);
        const started = readFileSync(pids, "utf8").trim().split("\n");
        expect(started.length).toBeGreaterThan(0);
        for (const pid of started) await expect.poll(() => isRunning(Number(pid))).toBe(false);
        await rm(pids);
      }
    });
  });
});

test.each([
  ["test", { driver, base_url: "http://127.0.0.1:1" }, "base_url cannot be combined with driver"],
  ["test", { driver, settings: {}, base_url: "http://127.0.0.1:1" }, "base_url and settings cannot be"],
  [
    "test",
    { base_url: "http://127.0.0.1:1", settings: { baseUrl: "http://127.0.0.1:2" } },
    "settings.baseUrl cannot be combined with base_url",
  ],
  [
    "test",
    { base_url: "http://127.0.0.1:1", profile: "core", settings: { profile: "full" } },
    "settings.profile cannot be combined with profile",
  ],
  ["sandbox", { action: "reset", url: "http://127.0.0.1:1" }, "url cannot be combined with action reset"],
  [
    "sandbox",
    { action: "accounts", url: "http://127.0.0.1:1" },
    "url cannot be combined with action accounts",
  ],
  ["sandbox", { action: "start", offset: 8000 }, "offset cannot be combined with action start"],
  ["request", { path: "/api/v1/me", offset: 8000 }, "path cannot be combined with offset"],
  ["request", { method: "POST", key: "none", offset: 8000 }, "method and key cannot be combined with offset"],
  ["request", { method: "POST", body: {} }, "path is missing"],
  ["outbox", { id: "msg_1", search: "a" }, "search cannot be combined with id"],
  ["clock", { advance: "PT1H", to: "2999-01-01T00:00:00Z" }, "Requires either `advance` or `to` (got both)"],
])("%s says which of its arguments exclude each other: %o", async (tool, input, message) => {
  await expect(agent.call(tool, input)).rejects.toThrow(message);
});
