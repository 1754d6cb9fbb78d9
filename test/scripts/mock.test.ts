import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { UserError } from "../../lib/user-error.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { curlLines } from "../../scripts/mock/curl.ts";
import type { Mock } from "../../scripts/mock/prism.ts";
import { prismFailure } from "../../scripts/mock/prism-failure.ts";
import { startMock } from "../../scripts/mock.ts";
import { root } from "../../scripts/paths.ts";

const message = {
  from: "shop@mail.example.com",
  to: ["ada@example.com"],
  subject: "Hello",
  text: "Hello, Ada.",
};

/** A document of one operation, which Prism reads sooner than the whole one. */
const small = {
  openapi: "3.1.1",
  info: { title: "Small", version: "1.0.0" },
  paths: { "/": { get: { responses: { "204": { description: "Nothing." } } } } },
} as unknown as OpenApiDocument;

const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/api/v1/emails`, {
    method: "POST",
    headers: { authorization: "Bearer any-key", "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

const portOf = (url: string): number => Number(new URL(url).port);

const failureOf = (start: Promise<unknown>): Promise<UserError> =>
  start.then(
    () => Promise.reject(new Error("it started")),
    (error: unknown) => {
      expect(error).toBeInstanceOf(UserError);
      return error as UserError;
    },
  );

/** Resolves once nothing answers at the address any more. */
async function gone(url: string): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer === undefined) return;
    await answer.body?.cancel();
  }
  throw new Error(`${url} still answers`);
}

// A folder for temporary files of its own, so that what other tests leave in theirs does not count.
const { TMPDIR } = process.env;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mock-test-"));
  process.env.TMPDIR = folder;
});
afterAll(async () => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await rm(folder, { recursive: true });
});

describe("a running mock", () => {
  let mock: Mock;
  beforeAll(async () => {
    mock = await startMock();
  });
  afterAll(() => mock.close());

  test("gives the first example of a success when none is asked for", async () => {
    const answer = await post(mock.url, message);
    expect(answer.status).toBe(202);
    expect(await answer.json()).toHaveProperty("id");
  });

  test("gives the example that the Prefer header asks for", async () => {
    const answer = await post(mock.url, message, { prefer: "code=409, example=idempotency_conflict" });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: { type: "idempotency_conflict" } });
  });

  test("refuses a request that breaks the document", async () => {
    const answer = await post(mock.url, { ...message, subject: "x".repeat(999) });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error: { type: "invalid_request" } });
  });

  test("lives on after a request with characters that no header can hold", async () => {
    const answer = await post(mock.url, { ...message, tags: { "größe ☃": 42 } });
    expect(answer.status).toBe(422);
    expect(JSON.parse(answer.headers.get("sl-violations") ?? "[]")).not.toHaveLength(0);
    expect((await post(mock.url, message)).status).toBe(202);
  });

  test("answers a body that is no JSON, in Prism's own form", async () => {
    const answer = await fetch(`${mock.url}/api/v1/emails`, {
      method: "POST",
      headers: { authorization: "Bearer any-key", "content-type": "application/json" },
      body: "{bad",
      signal: AbortSignal.timeout(10_000),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("Invalid JSON");
  });

  test("keeps its port to itself", async () => {
    const failure = await failureOf(startMock({ port: portOf(mock.url), document: small }));
    expect(failure.message).toBe(`Port ${portOf(mock.url)} of 127.0.0.1 is in use.`);
    expect(failure.hint).toContain("--port 0");
    expect(failure.exitCode).toBe(2);
  });

  test("lets another one start beside it, on a port of its own, which is gone once it is closed", async () => {
    const before = await readdir(folder);
    const other = await startMock({ host: "0.0.0.0" });
    try {
      expect(portOf(other.url)).not.toBe(portOf(mock.url));
      expect(new URL(other.url).hostname).toBe("127.0.0.1");
      expect((await post(other.url, message)).status).toBe(202);
    } finally {
      await other.close();
    }
    await expect(fetch(other.url)).rejects.toThrow();
    await other.close();
    expect(await readdir(folder)).toEqual(before);
  });
});

describe("a mock that cannot start says why:", () => {
  test("an address that this machine does not have", async () => {
    const failure = await failureOf(startMock({ host: "192.0.2.1", document: small }));
    expect(failure.message).toBe("This machine has no address 192.0.2.1 to listen on.");
  });

  test("a document that Prism does not take, with what Prism said", async () => {
    const failure = await failureOf(startMock({ document: { info: {} } as OpenApiDocument }));
    expect(failure.message).toMatch(/^Prism did not start: it ended with status 1/);
    expect(failure.hint).toContain("Unsupported document format");
  });

  test("no document at all, with what to run", async () => {
    const failure = await failureOf(readBundle(join(folder, "nothing-here")));
    expect(failure.message).toContain("openapi.json cannot be read");
    expect(failure.hint).toBe("Run `npm run generate` first.");
  });

  test("a port for which it lacks the rights", () => {
    const { message: text } = prismFailure("listen EACCES: permission denied", {
      host: "::",
      port: 80,
      how: "it ended",
    });
    expect(text).toBe("Port 80 of :: may not be used without more rights.");
  });
});

describe("the verb `mock`", () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  /** Runs the verb and resolves with what it prints once it is ready. */
  async function runVerb(): Promise<{ child: ChildProcess; text: string; url: string }> {
    const child = spawn(process.execPath, [`${root}/scripts/cli.ts`, "mock", "--port", "0"], {
      cwd: tmpdir(),
    });
    children.push(child);
    let text = "";
    for await (const piece of child.stdout.setEncoding("utf8")) {
      text += String(piece);
      if (text.includes("Ctrl-C")) break;
    }
    return { child, text, url: /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? "" };
  }

  test.each(["SIGTERM", "SIGINT"] as const)("ends with status 0 on %s, and Prism with it", async (signal) => {
    const { child, text, url } = await runVerb();
    expect((await post(url, message)).status).toBe(202);
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([0, null]);
    await gone(url);

    // Lines within 80 columns but for the curl lines, and how to ask for an example.
    const prose = text.split("\n").filter((line) => !/^ {2}/.test(line));
    expect(prose.filter((line) => line.length > 80)).toEqual([]);
    expect(text).toContain("Prefer: code=<status>, example=<name>");
  });

  test("takes Prism along even when it is killed", async () => {
    const before = await readdir(folder);
    const { child, url } = await runVerb();
    child.kill("SIGKILL");
    await gone(url);
    expect(await readdir(folder)).toEqual(before);
  });
});

test("the curl lines mean the same to a shell as they say", async () => {
  const document = await readBundle();
  const { plain = "", preferred = "" } = curlLines(withApostrophe(document), "http://127.0.0.1:4010");
  expect(await argumentsOf(plain)).toEqual([
    "-i",
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:4010\/api\/v1\//),
    "-H",
    "Authorization: Bearer any-key",
  ]);
  const words = await argumentsOf(preferred);
  expect(words.slice(0, 4)).toEqual(["-i", "-X", "POST", "http://127.0.0.1:4010/api/v1/emails"]);
  expect(words).toContainEqual(expect.stringMatching(/^Prefer: code=409, example=\w+$/));
  expect(JSON.parse(words.at(-1) ?? "")).toMatchObject({ subject: "Ada's receipt for order 1042" });
});

/** The document with an example that a shell could stumble over. */
const withApostrophe = (document: OpenApiDocument): OpenApiDocument =>
  JSON.parse(JSON.stringify(document).replaceAll("Your receipt", "Ada's receipt")) as OpenApiDocument;

/** What a program named curl is given when a shell runs the lines. */
async function argumentsOf(lines: string): Promise<string[]> {
  const programs = await mkdtemp(join(tmpdir(), "curl-"));
  try {
    const program = join(programs, "curl");
    await writeFile(program, `#!/bin/sh\nfor word; do printf '%s\\0' "$word"; done\n`);
    await chmod(program, 0o755);
    const shell = spawn("/bin/sh", ["-c", lines], { env: { PATH: programs } });
    let text = "";
    for await (const piece of shell.stdout.setEncoding("utf8")) text += String(piece);
    return text.split("\0").slice(0, -1);
  } finally {
    await rm(programs, { recursive: true });
  }
}
