import { spawn } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { curlExamples } from "../../scripts/mock/mock.ts";
import { type Mock, prismFailure, startMock } from "../../scripts/mock/prism.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { failureOf, message, post } from "./mock-requests.ts";

describe("a running mock", () => {
  let mock: Mock;
  beforeAll(async () => {
    mock = await startMock();
  });
  afterAll(() => mock.close());

  test("returns the first success example by default", async () => {
    const response = await post(mock.url, message);
    expect(response.status).toBe(202);
    expect(await response.json()).toHaveProperty("id");
  });

  test("returns the example that the Prefer header names", async () => {
    const response = await post(mock.url, message, { prefer: "code=409, example=idempotency_conflict" });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ error: { type: "idempotency_conflict" } });
  });

  test("rejects a request that violates the document with 422", async () => {
    const response = await post(mock.url, { ...message, subject: "x".repeat(999) });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { type: "invalid_request" } });
  });

  test("survives a request with characters that no header can hold", async () => {
    const response = await post(mock.url, { ...message, tags: { "größe ☃": 42 } });
    expect(response.status).toBe(422);
    expect(JSON.parse(response.headers.get("sl-violations") ?? "[]")).not.toHaveLength(0);
    expect((await post(mock.url, message)).status).toBe(202);
  });

  test("rejects a body that is not JSON with Prism's own 400", async () => {
    const response = await post(mock.url, "{bad");
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("Invalid JSON");
  });
});

describe("a mock that cannot start reports:", () => {
  test("a missing document, with the command to run", async () => {
    const failure = await failureOf(readBundle(join(root, "nothing-here")));
    expect(failure.message).toContain("openapi.json cannot be read");
    expect(failure.hint).toBe("Run `npm run generate` first.");
  });

  test("a privileged port", () => {
    const { message: text } = prismFailure("listen EACCES: permission denied", { host: "::", port: 80 });
    expect(text).toBe("no permission to listen on port 80");
  });
});

test("a shell parses the curl commands as intended", async () => {
  const document = await readBundle();
  const [plain = "", preferred = ""] = curlExamples(withApostrophe(document), "http://127.0.0.1:4010");
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

/** The document with an example that needs quoting. */
const withApostrophe = (document: OpenApiDocument): OpenApiDocument =>
  JSON.parse(JSON.stringify(document).replaceAll("Your receipt", "Ada's receipt")) as OpenApiDocument;

/** The arguments that a shell passes to curl. */
async function argumentsOf(lines: string): Promise<string[]> {
  const programs = temporaryFolder();
  const program = join(programs, "curl");
  await writeFile(program, `#!/bin/sh\nfor word; do printf '%s\\0' "$word"; done\n`);
  await chmod(program, 0o755);
  const shell = spawn("/bin/sh", ["-c", lines], { env: { PATH: programs } });
  let text = "";
  for await (const piece of shell.stdout.setEncoding("utf8")) text += String(piece);
  return text.split("\0").slice(0, -1);
}
