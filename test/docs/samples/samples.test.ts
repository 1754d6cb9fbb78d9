import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WireRequest } from "../../../contract/client-suite/service/recording-server.ts";
import { languages } from "../../../scripts/docs/samples/languages.ts";
import { guideRequest, sampleRequests } from "../../../scripts/docs/samples/samples.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import type { ExampleRequest } from "../../../scripts/document/requests.ts";
import { installClient, type Project } from "../../client/installed.ts";
import { unusablePrograms } from "../../clients/tools.ts";
import { type Run, runSamples, toolchains } from "./programs.ts";

// Runs every sample as a program against a sandbox, and compares what the sandbox received with the request.

const apiKey = "sandbox_all_2f7c";
const document = await readBundle();
const requests = sampleRequests(document);

/** A text with what some language does not read as text: quotes, escapes, variables, ends of texts and comments. */
const subject = 'It\'s "$HOME" $\u007bHOME} #{1} {x} %s \\n \\ `id` $(id) """ \'\'\' */ ?> ü 🥖';
const array = `[\n"1"\n] [\n'2'\n]`;
const special = requests
  .filter(({ operationId }) => operationId === "sendEmail")
  .map((request) => {
    return {
      ...request,
      body: { ...(request.body as object), subject, text: `${subject}\n\tJSON\nJSON\n${array}` },
    };
  });

let project: Project;
beforeAll(async () => {
  project = await installClient();
}, 60_000);
afterAll(() => project?.remove());

test("the TypeScript of the samples compiles", { timeout: 60_000 }, async () => {
  const { write } = languages.find(({ id }) => id === "typescript") ?? {};
  for (const request of requests) {
    const file = join(project.folder, `${request.operationId}.ts`);
    await writeFile(file, write?.(request, "https://api.example.com") ?? "");
  }
  expect(await project.check("TypeScript 7", { skipLibCheck: true })).toBe("");
});

describe.each(languages)("$title", (language) => {
  const { id, title } = language;
  const toolchain = toolchains[id];
  const reason = toolchain === undefined ? "no test runs them" : unusablePrograms(toolchain)?.detail;
  if (toolchain === undefined || reason !== undefined) {
    console.log(`The samples in ${title} are not run: ${reason}`);
    test.skip(`not run: ${reason}`, () => {});
    return;
  }
  const run = (name: string, batch: ExampleRequest[], key = apiKey) =>
    runSamples(language, toolchain, {
      requests: batch,
      folder: join(project.folder, id, name),
      apiKey: key,
    });

  let runs: Map<string, Run>;
  beforeAll(async () => {
    const start = performance.now();
    runs = await run("documented", requests);
    console.log(`${title}: ${runs.size} samples in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }, 180_000);

  test.each(requests)("$operationId: sends the request", (request) => {
    expectSent(runs, request);
  });

  test("a request of a guide is sent", async () => {
    const request = guideRequest(document, "sendEmail", "scheduled");
    if (request !== undefined) expectSent(await run("scheduled", [request]), request);
    expect(request?.name).toBe("scheduled");
  });

  test("special characters arrive unchanged", async () => {
    const sent = await run("special", special);
    for (const request of special) expectSent(sent, request);
  });

  test("an invalid key prints the error", async () => {
    const [first] = requests.filter(({ operationId }) => operationId === "getMe");
    const rejected = first && (await run("rejected", [first], "not_a_key")).get("getMe");
    expect(rejected?.output).toContain("unauthorized");
    expect(rejected?.exchanges.map(({ response }) => response?.status)).toEqual([401]);
  });
});

function expectSent(runs: Map<string, Run>, request: ExampleRequest): void {
  const { code, output, exchanges = [] } = runs.get(request.operationId) ?? {};
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/\S/) });
  expect(exchanges.map((exchange) => received(exchange.request))).toEqual([expectedOf(request)]);
  expect(String(exchanges[0]?.response?.status)).toMatch(/^2/);
}

/** What the sandbox must receive. */
function expectedOf({ method, path, headers, body }: ExampleRequest) {
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  const all = { ...headers, ...type, Accept: "application/json", Authorization: `Bearer ${apiKey}` };
  return { method, path, headers: all, body };
}

/** The same parts of what it received. A program may send other headers, and a type without a body. */
function received({ method, target, headers, body }: WireRequest) {
  const names = [
    "Accept",
    "Authorization",
    "Idempotency-Key",
    ...(body.length === 0 ? [] : ["Content-Type"]),
  ];
  const present = names.filter((name) => headers[name.toLowerCase()] !== undefined);
  return {
    method,
    path: target,
    headers: Object.fromEntries(present.map((name) => [name, headers[name.toLowerCase()]])),
    body: body.length === 0 ? undefined : JSON.parse(body.toString()),
  };
}
