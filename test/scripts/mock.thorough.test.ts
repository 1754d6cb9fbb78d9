import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { type Mock, startMock } from "../../scripts/mock/prism.ts";
import { failureOf, message, post } from "./mock-requests.ts";

/** A document with one operation, which Prism loads faster. */
const small = {
  openapi: "3.1.1",
  info: { title: "Small", version: "1.0.0" },
  paths: { "/": { get: { responses: { "204": { description: "Nothing." } } } } },
} as unknown as OpenApiDocument;

const portOf = (url: string): number => Number(new URL(url).port);

/** Resolves when the server no longer responds. */
async function gone(url: string): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    const response = await fetch(url).catch(() => undefined);
    if (response === undefined) return;
    await response.body?.cancel();
  }
  throw new Error(`${url} still responds`);
}

describe("a mock", () => {
  let mock: Mock;
  beforeAll(async () => {
    mock = await startMock();
  });
  afterAll(() => mock.close());

  test("reports a port in use", async () => {
    const failure = await failureOf(startMock({ port: portOf(mock.url), document: small }));
    expect(failure.message).toBe(`port ${portOf(mock.url)} on 127.0.0.1 is in use`);
    expect(failure.hint).toContain("--port; 0 takes any free port");
    expect(failure.exitCode).toBe(2);
  });

  test("a second mock gets a port of its own, which close() frees", async () => {
    const other = await startMock({ host: "0.0.0.0", document: small });
    try {
      expect(portOf(other.url)).not.toBe(portOf(mock.url));
      expect(new URL(other.url).hostname).toBe("127.0.0.1");
      expect((await fetch(other.url)).status).toBe(204);
    } finally {
      await other.close();
    }
    await expect(fetch(other.url)).rejects.toThrow();
    await other.close();
  });
});

describe("a mock that cannot start reports:", () => {
  test("an interface that this machine does not have", async () => {
    const failure = await failureOf(startMock({ host: "192.0.2.1", document: small }));
    expect(failure.message).toBe("192.0.2.1 is not an interface of this machine");
  });

  test("a document that Prism rejects, with its reason", async () => {
    const failure = await failureOf(startMock({ document: { info: {} } as OpenApiDocument }));
    expect(failure.message).toMatch(/^Prism did not start: .*Unsupported document format/);
  });
});

describe("the command `mock`", () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  /** Runs the command and resolves with its output when it is ready. */
  async function runCommand(): Promise<{ child: ChildProcess; text: string; url: string }> {
    const child = spawn(process.execPath, [`${root}/scripts/cli.ts`, "mock", "--port", "0"], {
      cwd: tmpdir(),
    });
    children.push(child);
    let text = "";
    for await (const piece of child.stdout.setEncoding("utf8")) {
      text += String(piece);
      if (text.includes("Ctrl+C")) break;
    }
    return { child, text, url: /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? "" };
  }

  test.each(["SIGTERM", "SIGINT"] as const)("ends with exit code 0 on %s and stops Prism", async (signal) => {
    const { child, text, url } = await runCommand();
    expect((await post(url, message)).status).toBe(202);
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([0, null]);
    await gone(url);

    // Only curl commands may exceed 80 columns.
    const prose = text.split("\n").filter((line) => !/^ {2}/.test(line));
    expect(prose.filter((line) => line.length > 80)).toEqual([]);
    expect(text).toContain("Prefer: code=<status>, example=<name>");
  });

  test("stops Prism even if it is killed", async () => {
    const { child, url } = await runCommand();
    child.kill("SIGKILL");
    await gone(url);
  });
});
