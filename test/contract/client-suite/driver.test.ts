import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { constants } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import schema from "../../../contract/client-suite/driver/driver-protocol.schema.json" with { type: "json" };
import { processDriver } from "../../../contract/client-suite/driver/process.ts";
import type { Driver, StartDriver } from "../../../contract/client-suite/driver/protocol.ts";
import { DriverSession } from "../../../contract/client-suite/engine/driver-session.ts";
import { openRecordingServer } from "../../../contract/client-suite/service/recording-server.ts";
import { operations } from "../../../generated/operations.ts";
import { schemaProblems } from "../../../lib/schema-errors.ts";
import { startSandboxService } from "../../../scripts/client-suite/run-command.ts";
import { root } from "../../../scripts/common/paths.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const folder = temporaryFolder(afterAll);

const first = {
  protocol: 1,
  client: "a client 1.0",
  operations: ["getMe"],
  retries: false,
  idempotencyKeys: "explicit",
  timeouts: true,
};
const driverModule = new URL("../../../contract/client-suite/driver/process.ts", import.meta.url).href;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const ready = `console.log(${JSON.stringify(JSON.stringify(first))});`;

/** Starts a driver whose code reads lines with `line()`. */
async function start(code: string, startDeadline = 5_000): Promise<Driver> {
  const file = join(folder, `${crypto.randomUUID()}.mjs`);
  const head = `import { createInterface } from "node:readline";
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const line = async () => JSON.parse((await lines.next()).value ?? "null");\n`;
  await writeFile(file, head + code);
  const command = `"${process.execPath}" "${file}"`;
  return processDriver(command, { startDeadline })({ baseUrl: "http://127.0.0.1:1", key: "key_1" });
}

const call = (driver: Driver, replyTimeout = 5_000) => driver.call({ operation: "getMe" }, replyTimeout);

// Most of them wait for a process. A concurrent test that polls has an `expect` of its own.
describe.concurrent("a driver at its start", () => {
  it("gets the protocol version, the base URL and the key, and says what its client can do", async ({
    expect,
  }) => {
    const driver = await start(
      `const given = await line(); console.error(JSON.stringify(given)); ${ready} await line();`,
    );
    expect(driver.capabilities).toEqual({ ...first, protocol: undefined });
    await expect
      .poll(() => driver.takeOutput())
      .toContain('{"protocol":1,"baseUrl":"http://127.0.0.1:1","key":"key_1"}');
    await driver.close();
  });

  it("gets the environment without keys of servers, which it could print", async ({ expect }) => {
    const keys = ["CONTRACT_API_KEY", "CONTRACT_KEY_SECOND"];
    for (const name of [...keys, "CONTRACT_OTHER"]) process.env[name] = `value of ${name}`;
    const driver = await start(
      `console.error(JSON.stringify(process.env)); ${ready} await line(); await line();`,
    );
    for (const name of [...keys, "CONTRACT_OTHER"]) delete process.env[name];
    let output = "";
    await expect.poll(() => (output += driver.takeOutput())).toContain("value of CONTRACT_OTHER");
    for (const name of keys) expect(output).not.toContain(name);
    await driver.close();
  });

  it.each([
    {
      title: "that ends",
      code: `console.error("no such module"); process.exit(3);`,
      message: /ended with exit code 3\.\nIts last output:\nno such module/,
    },
    {
      title: "that stays silent",
      code: "await line(); await line();",
      message: /no line within 0\.5 s of its start\. Does it flush standard output after each line\?/,
      deadline: 500,
    },
    {
      title: "that writes no line break",
      code: `process.stdout.write(${JSON.stringify(JSON.stringify(first))}); setInterval(() => {}, 1000);`,
      message: /a line without a line break at its end: ".*a client 1\.0.*"\. Does it flush/,
      // Within it, the program starts and writes, also on a busy machine.
      deadline: 3000,
    },
    {
      title: "that prints text",
      code: `console.log("Starting...");`,
      message: /not JSON: "Starting\.\.\."\. Write each object on one line in UTF-8, .*standard error/,
    },
    {
      title: "that lacks a property",
      code: `console.log('{"protocol":1}');`,
      message: /invalid first line: .*client/,
    },
    {
      title: "with an unknown operation",
      code: `console.log('${JSON.stringify({ ...first, operations: ["getMee"] })}');`,
      message: /unknown operation \(got "getMee"\); the operations are [^.]*getMe\./,
    },
    {
      title: "of another protocol",
      code: `console.log('${JSON.stringify({ ...first, protocol: 2 })}');`,
      message: /protocol must be 1/,
    },
    { title: "that ends without an error", code: "process.exit();", message: /ended with exit code 0/ },
  ])("$title is an error that says so", async ({ code, message, deadline }) => {
    await expect(start(code, deadline)).rejects.toThrow(message);
  });
});

describe.concurrent("a driver during a call", () => {
  it("replies with a result or an error", async () => {
    const driver = await start(`await line(); ${ready}
      const { call, ...given } = await line();
      console.log(JSON.stringify({ call, result: given }));
      await line();
      console.log('{"call":2,"error":{"kind":"response","status":404,"type":"not_found"}}');
      await line();
      console.log('{"call":3,"error":{"kind":"connection","status":null}}');
      await line();`);
    expect(await call(driver)).toEqual({ result: { operation: "getMe" } });
    expect(await call(driver)).toEqual({ error: { kind: "response", status: 404, type: "not_found" } });
    expect(await call(driver)).toEqual({ error: { kind: "connection", status: null } });
    await driver.close();
  });

  it("replies to two calls at the same time in any order", async () => {
    const driver = await start(`await line(); ${ready}
      const calls = [await line(), await line()];
      for (const { call, body } of calls.reverse()) console.log(JSON.stringify({ call, result: body }));
      await line();`);
    const made = ["one", "two"].map((body) => driver.call({ operation: "sendEmail", body }, 5_000));
    expect(await Promise.all(made)).toEqual([{ result: "one" }, { result: "two" }]);
    await driver.close();
  });

  it("that replies to one of two calls at the same time has no reply to the other", async () => {
    const driver = await start(
      `await line(); ${ready} await line(); console.log('{"call":2,"result":1}'); await line(); await line();`,
    );
    // Within it, the program replies, also on a busy machine.
    expect(await Promise.all([call(driver, 3_000), call(driver, 3_000)])).toEqual([undefined, { result: 1 }]);
    expect(driver.isOpen).toBe(false);
  });

  it.each([
    ["ends", "process.exit(9);", /ended with exit code 9/],
    ["prints text", `console.log("debug: sent");`, /not JSON: "debug: sent"/],
    ["replies to another call", `console.log('{"call":7,"result":1}');`, /call 7 in place of call 1/],
    ["has neither a result nor an error", `console.log('{"call":1}');`, /invalid reply/],
    [
      "has an unknown kind of error",
      `console.log('{"call":1,"error":{"kind":"oops"}}');`,
      /invalid reply: error\.kind/,
    ],
    [
      "nests 90,000 lists",
      `console.log('{"call":1,"result":' + "[".repeat(9e4) + "]".repeat(9e4) + "}");`,
      /not JSON/,
    ],
    [
      "writes bytes that are not UTF-8",
      `process.stdout.write(Buffer.from('{"call":1,"result":"\\xff"}\\n', "latin1"));`,
      /not UTF-8/,
    ],
    ["has no status", `console.log('{"call":1,"error":{"kind":"response"}}');`, /without status/],
  ])("that %s fails", async (_, code, message) => {
    const driver = await start(`await line(); ${ready} await line(); ${code} await line();`);
    await expect(call(driver)).rejects.toThrow(message);
    expect(driver.isOpen).toBe(false);
  });

  it("gets each call as one line of ASCII, which it reads in any encoding", async () => {
    const driver = await start(`process.stdin.setEncoding("latin1"); await line(); ${ready}
      const { value } = await lines.next();
      const { body } = JSON.parse(value);
      console.log(JSON.stringify({ call: 1, result: { body, isAscii: /^[ -~]+$/.test(value) } }));`);
    const body = { text: "é ف 🎂 \ud800 a\n\u0085\u2028\u2029\u0000" };
    const reply = await driver.call({ operation: "sendEmail", body }, 5_000);
    expect(reply).toMatchObject({ result: { body, isAscii: true } });
    await driver.close();
  });

  it("that ends is an error with the call and the last lines of its output", async () => {
    const driver = await start(`await line(); ${ready} await line();
      console.error("x".repeat(2000) + "\\n\\nTraceback:\\n  line 7\\nboom in the middle\\n"); process.exit(1);`);
    const error = await call(driver).catch((cause: Error) => cause.message);
    expect(String(error).split("\n")).toEqual([
      "The driver ended with exit code 1.",
      'In the call {"operation":"getMe"}',
      "Its last output:",
      expect.stringMatching(/^\{"protocol":1/),
      expect.stringMatching(/^x{300}\.\.\.$/),
      "Traceback:",
      "  line 7",
      "boom in the middle",
    ]);
  });

  it("that writes a reply without a line break is killed", async () => {
    const driver = await start(`await line(); ${ready} await line();
      process.stdout.write('{"call":1,"result":1}'); setInterval(() => {}, 1000);`);
    // Within it, the program writes, also on a busy machine.
    await expect(call(driver, 3_000)).rejects.toThrow(/line break at its end: .*result.*\nIn the call \{/);
    expect(driver.isOpen).toBe(false);
  });

  it.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "is killed with all it started at %s",
    async (signal, { expect }) => {
      const code = `
      import { processDriver } from ${JSON.stringify(driverModule)};
      const driver = await processDriver(process.argv[1])({ baseUrl: "http://127.0.0.1:1", key: "key_1" });
      // Standard error may arrive after standard output.
      setInterval(() => console.log(driver.takeOutput()), 50);`;
      const file = join(folder, `${crypto.randomUUID()}.mjs`);
      await writeFile(file, `console.error("pid " + process.pid); ${ready} setInterval(() => {}, 1000);`);
      const command = `"${process.execPath}" "${file}" & wait`;
      const runner = spawn(process.execPath, ["--input-type=module", "-e", code, command]);
      let output = "";
      runner.stdout.on("data", (text) => {
        output += text;
      });
      await expect.poll(() => output, { timeout: 10_000 }).toMatch(/pid \d+/);
      const pid = Number(/pid (\d+)/.exec(output)?.[1]);
      runner.kill(signal);
      await once(runner, "exit");
      expect(runner.exitCode).toBe(128 + constants.signals[signal]);
      await expect.poll(() => isRunning(pid)).toBe(false);
    },
  );

  it.for([
    ["is closed", "process.stdin.resume();", "await driver.close();"],
    [
      "ends by itself",
      "await line();",
      "const { message } = await driver.call({ operation: 'getMe' }, 20_000).catch((error) => error); console.log(message);",
    ],
  ] as const)(
    "whose daemon keeps its output lets the command end, if it %s",
    async ([, rest, then], { expect }) => {
      const file = join(folder, `${crypto.randomUUID()}.mjs`);
      // A group of its own, as daemons have.
      await writeFile(
        file,
        `import { spawn } from "node:child_process";
      import { createInterface } from "node:readline";
      const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
      const line = () => lines.next();
      const daemon = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], { detached: true, stdio: ["ignore", "inherit", "inherit"] });
      daemon.unref();
      await line();
      console.error("pid " + daemon.pid);
      ${ready}
      ${rest}
      ${rest.startsWith("await") ? "process.exit(3);" : ""}`,
      );
      const code = `
      import { processDriver } from ${JSON.stringify(driverModule)};
      const driver = await processDriver(process.argv[1])({ baseUrl: "http://127.0.0.1:1", key: "key_1" });
      ${then}
      console.log("output: " + driver.takeOutput());`;
      const runner = spawn(process.execPath, [
        "--input-type=module",
        "-e",
        code,
        `"${process.execPath}" "${file}"`,
      ]);
      let output = "";
      runner.stdout.on("data", (text) => {
        output += text;
      });
      await once(runner, "exit");
      // Throws if the daemon has ended: the command waited for it.
      process.kill(Number(/pid (\d+)/.exec(output)?.[1]));
      if (rest.startsWith("await")) expect(output).toContain("The driver ended with exit code 3.");
    },
  );

  it("that does not reply in time is killed", async () => {
    const driver = await start(`await line(); ${ready} await line(); setInterval(() => {}, 1000);`);
    expect(await call(driver, 200)).toBeUndefined();
    expect(driver.isOpen).toBe(false);
  });

  it.each([
    [
      "lines without end",
      `const more = () => process.stdout.write("y\\n".repeat(10_000), more); more();`,
      /(no call asked for|not JSON): "y"/,
    ],
    [
      "two replies",
      `console.log('{"call":1,"result":1}'); await line(); await line();`,
      // Which of the two depends on whether the second reply comes before the next call is sent.
      /(a line that no call asked for: .*call.{3}1.*\. It writes one line for each call|replied to call 1 in place)/,
    ],
  ])("that writes %s fails at the next call", async (_, more, message) => {
    const driver = await start(
      `await line(); ${ready} await line(); console.log('{"call":1,"result":1}'); ${more}`,
    );
    await call(driver);
    await expect(call(driver)).rejects.toThrow(message);
  });
});

const guide = await readFile(join(root, "docs/testing-a-client.md"), "utf8");
const lines = Array.from(guide.matchAll(/```json\n([\s\S]*?)```/g), ([, text = ""]) => JSON.parse(text));

it("the guide shows a valid line of each kind", () => {
  const kinds = lines.map((line) =>
    (["start", "ready", "call", "reply"] as const).filter(
      (name) => schemaProblems({ $ref: `#/$defs/${name}`, $defs: schema.$defs }, line).length === 0,
    ),
  );
  expect(kinds).toEqual([["start"], ["ready"], ["call"], ["reply"], ["reply"]]);
});

it("the guide lists each operation with its path, path parameters, body and idempotency key", () => {
  const entries = Object.values(operations).map(
    ({ id, method, path, pathParameters, requestBody, idempotent }) => {
      const parts = pathParameters.map((name) => `path ${name}`);
      if (requestBody !== null) parts.push(`body ${requestBody}`);
      if (idempotent) parts.push("idempotency key");
      return [id, `  ${method} ${path}`, ...(parts.length === 0 ? [] : [`  ${parts.join(", ")}`])].join("\n");
    },
  );
  expect(guide).toContain(entries.join("\n"));
});

const capabilities: Driver["capabilities"] = {
  client: "late",
  operations: ["getMe"],
  retries: false,
  idempotencyKeys: "explicit",
  timeouts: false,
};

/** A driver that ends in its first call; the request arrives after that. */
const endsInCall: StartDriver = async ({ baseUrl }) => {
  let isOpen = true;
  return {
    capabilities,
    call: async () => {
      isOpen = false;
      setTimeout(() => fetch(`${baseUrl}/api/v1/me`).catch(() => {}), 30);
      return undefined;
    },
    get isOpen() {
      return isOpen;
    },
    takeOutput: () => "",
    close: async () => {
      isOpen = false;
    },
  };
};

let session: DriverSession | undefined;
afterEach(async () => {
  await session?.close();
  session = undefined;
});

it("a late request of a driver that ended belongs to no later test case", async () => {
  session = new DriverSession(await startSandboxService(), endsInCall);
  await (await session.driver()).call({ operation: "getMe" }, 100);
  await session.reset();
  await session.driver();
  await pause(100);
  expect(session.server.take()).toEqual([]);
});

it("a request that is under way when a call ends belongs to that call", async () => {
  const service = await startSandboxService();
  const server = await openRecordingServer(service.baseUrl);
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write("GET /api/v1/me HTTP/1.1\r\nHost: a\r\n\r\n");
  await server.settle();
  expect(server.take().map(({ request }) => request.target)).toEqual(["/api/v1/me"]);
  socket.destroy();
  await Promise.all([server.close(), service.close()]);
});
