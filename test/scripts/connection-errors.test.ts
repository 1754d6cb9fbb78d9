import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { selfSigned } from "../../contract/client-suite/service/listeners.ts";
import { connectionProblem } from "../../lib/connection.ts";
import { startSandbox } from "../../sandbox/index.ts";
import { root } from "../../scripts/common/paths.ts";
import { startProxy } from "../../scripts/observe/proxy.ts";
import { freePort } from "../free-port.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runHere } from "./run-here.ts";

afterEach(() => void vi.unstubAllEnvs());

async function portOf(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Runs a command: its exit code, and its errors in one line. */
async function run(...words: string[]) {
  const { status, err } = await runHere(...words);
  return { code: status, text: err.replaceAll(/\s+/g, " ") };
}

/** Runs `observe` as a process, and interrupts it after a request. */
async function observeOneRequest(upstream: string) {
  const words = ["observe", "--upstream", upstream, "--port", "0"];
  const child = spawn(process.execPath, [join(root, "scripts/cli.ts"), ...words], { cwd: temporaryFolder() });
  let text = "";
  let isSent = false;
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
    const url = / at (http:\S+)\. Interrupt/.exec(text)?.[1];
    if (url === undefined || isSent) return;
    isSent = true;
    const interrupt = () => child.kill("SIGINT");
    fetch(`${url}/api/v1/me`).then(interrupt, interrupt);
  });
  await once(child, "close");
  return { code: child.exitCode, text: text.replaceAll(/\s+/g, " ") };
}

const problems: [string, () => Promise<string>, reason: string, hint: string][] = [
  [
    "a self-signed certificate",
    async () => `https://127.0.0.1:${await portOf(createTlsServer(selfSigned()))}`,
    "self-signed certificate",
    "NODE_EXTRA_CA_CERTS",
  ],
  ["an unknown host", async () => "http://nosuch.invalid", "nosuch.invalid", "Check the host name"],
  [
    "a connection that nobody accepts",
    async () => `http://127.0.0.1:${await freePort()}`,
    "ECONNREFUSED",
    "Start the server",
  ],
  [
    "a server without TLS",
    async () => `https://127.0.0.1:${await portOf(createServer((_, response) => response.end()))}`,
    "TLS: wrong version number",
    "starts with http://",
  ],
  [
    "a connection that is closed",
    async () => `http://127.0.0.1:${await portOf(createTcpServer((socket) => socket.destroy()))}`,
    "(",
    "sent no response",
  ],
  [
    "a server with TLS",
    async () => `http://127.0.0.1:${await portOf(createTlsServer(selfSigned()))}`,
    "(",
    "sent no response, or no HTTP: try https://",
  ],
];

describe("the reason, and what to do", () => {
  const blocked: (typeof problems)[number] = [
    "a port of another protocol",
    async () => "http://127.0.0.1:9",
    "bad port",
    "Use another port",
  ];
  it.for([...problems, blocked])("contract: %s", async ([, urlOf, reason, hint]) => {
    vi.stubEnv("CONTRACT_API_KEY", "sandbox_all_2f7c");
    const { code, text } = await run("contract", "--base-url", await urlOf(), "--profile", "core");
    expect(text).toContain(reason);
    expect(text).toContain(hint);
    expect(text).not.toContain(" at ");
    expect(code).toBe(2);
  });

  it.for(problems)("observe: %s", async ([, urlOf, reason, hint]) => {
    const [upstream, problem] = [await urlOf(), Promise.withResolvers<unknown>()];
    const onProblem = problem.resolve;
    const proxy = await startProxy({ upstream, port: 0, host: "127.0.0.1", onExchange() {}, onProblem });
    onTestFinished(() => proxy.close());
    const found = await fetch(`${proxy.url}/api/v1/me`).then(
      ({ status }) => status,
      () => "closed",
    );
    // The connection is closed as that of the server was.
    expect(found).toBe(hint.startsWith("sent no response") ? "closed" : 502);
    const shown = connectionProblem(await problem.promise, 0);
    expect(shown.reason).toContain(reason);
    expect(shown.hint).toContain(hint);
  });

  it("observe says it when it is interrupted", async () => {
    const { code, text } = await observeOneRequest(`http://127.0.0.1:${await freePort()}`);
    expect(text).toContain("none of 1 request got a response of the server: ");
    expect(text.match(/ECONNREFUSED/g)).toHaveLength(2);
    expect(text).toContain("Start the server");
    expect(code).toBe(2);
  });
});

it.each(["/sys/x.yaml", "nosuch/x.yaml"])(
  "contract init and client init that cannot write %s say why, without a stack",
  async (output) => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    vi.stubEnv("CONTRACT_API_KEY", "sandbox_all_2f7c");
    const { code, text } = await run("contract", "init", "--base-url", sandbox.url, "--output", output);
    expect(text).toMatch(/^error: \S+x\.yaml cannot be used: E(ACCES|NOENT|ROFS|PERM): /);
    expect(text).not.toContain(" at ");
    expect(code).toBe(2);
    const driver = await run("client", "init", "python", "--output", output);
    expect(driver.text).toMatch(/^error: \S*x\.yaml cannot be used: E.* hint: Check that its folder exists/);
    expect(driver.code).toBe(2);
  },
);
