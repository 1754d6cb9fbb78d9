import { readdirSync, readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import { discover } from "../../../contract/config/discover.ts";
import { settingsFrom } from "../../../contract/config/load.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { runDoctor } from "../../../scripts/contract/doctor.ts";
import { runInit } from "../../../scripts/contract/init.ts";
import { runContractCommand } from "../../../scripts/contract/run-command.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { createRun, openSandbox } from "../../mutants/harness.ts";
import { variants } from "../../mutants/variants.ts";
import { complaint, folderWith } from "./folder.ts";

const env = { CONTRACT_API_KEY: "a-key-of-the-test" };

/** The base URL of a server with one response to everything, or with a listener. */
async function serverWith(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const always =
  (status: number, headers: Record<string, string>, body = ""): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

const page = { "content-type": "text/html; charset=utf-8" };
const json = { "content-type": "application/json" };
const error = (type: string): string =>
  JSON.stringify({ error: { type, message: "No.", request_id: "req_1" } });

const others: [what: string, listener: RequestListener, says: string][] = [
  ["a static site", always(404, page, "<p>Not found"), "responds with 404 text/html; charset=utf-8"],
  ["an application of one page", always(200, page, "<!doctype html>"), "responds with 200 text/html;"],
  ["a wrong prefix of an API", always(404, json, error("not_found")), "responds with 404 not_found\n"],
  ["another API", always(200, json, `{"hello":"world"}`), "responds with 200 application/json, which is not"],
  [
    "a gateway",
    always(403, json, `{"message":"Missing"}`),
    "responds with 403 application/json, which is not",
  ],
  ["a proxy without a server", always(502, page, "<h1>Bad Gateway"), "responds with 502 text/html"],
  [
    "a redirect",
    always(301, { location: "https://www.example.com/" }),
    "responds with 301 to https://www.exam",
  ],
];

/** GET /me responds, and all else does what a listener says. */
const besideAccount =
  (listener: RequestListener, headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    if (request.url !== "/api/v1/me") listener(request, response);
    else response.writeHead(200, { ...json, ...headers }).end(`{"id":7}`);
  };

const discoverAt = (baseUrl: string, key = true) =>
  discover(settingsFrom(undefined, undefined, { env: key ? env : {}, baseUrl }));

describe("a server that is not one of this API", () => {
  test.each(others)("is told by what comes back: %s", async (_, listener, says) => {
    const baseUrl = await serverWith(listener);
    for (const hasKey of [true, false]) {
      const { text, exitCode } = await complaint(discoverAt(baseUrl, hasKey));
      expect(text).toContain(`GET ${baseUrl}/api/v1/me ${says}`);
      expect(text).toContain(`\nIs ${baseUrl} the base URL of the API, without /api/v1?`);
      expect(exitCode).toBe(2);
    }
  });

  test("is told by what is wrong, if only the account could be one of this API", async () => {
    const baseUrl = await serverWith(besideAccount(always(404, page)));
    expect((await complaint(discoverAt(baseUrl))).text).toContain(
      `GET ${baseUrl}/api/v1/newsletter/lists responds with 404 text/html`,
    );
  });

  test("gets the same question from every command, and init writes nothing", async () => {
    const baseUrl = await serverWith(always(404, page, "<p>Not found"));
    const folder = folderWith();
    const texts = await Promise.all(
      [
        runInit({ baseUrl, env, folder }),
        runDoctor({ baseUrl, env, folder }),
        runContractCommand({ baseUrl }),
        runContractCommand({ baseUrl, profile: "mock" }),
      ].map(async (command) => (await complaint(command)).text),
    );
    expect(new Set(texts)).toEqual(
      new Set([
        `GET ${baseUrl}/api/v1/me responds with 404 text/html; charset=utf-8\nIs ${baseUrl} the base URL of the API, without /api/v1?`,
      ]),
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a server of this API", () => {
  const only =
    (method: string, path: string, status: number, body: string): RequestListener =>
    (request, response) => {
      const isIt = request.method === method && request.url === path;
      if (isIt) response.writeHead(status, json).end(body);
      else response.writeHead(404, page).end(`Cannot ${request.method} ${request.url}`);
    };

  test.each<[string, RequestListener]>([
    ["its lists", only("GET", "/api/v1/newsletter/lists", 200, `{"lists":[]}`)],
    ["the account, with other fields", only("GET", "/api/v1/me", 402, error("no_plan"))],
    ["sends", only("POST", "/api/v1/emails", 422, error("invalid_request"))],
    ["sends, without the error object", only("POST", "/api/v1/emails", 400, `{"message":"no"}`)],
    ["contacts", only("POST", "/api/v1/newsletter/contacts", 422, error("invalid_request"))],
  ])("may have only %s", async (_, listener) => {
    await expect(discoverAt(await serverWith(listener))).resolves.toMatchObject({ lists: {} });
  });

  const dropped: RequestListener = (request) => void request.socket.destroy();

  test.each<[string, RequestListener]>([
    ["fails at all but the account", besideAccount(always(500, { "content-type": "text/plain" }, "oops"))],
    ["drops all connections but those for the account", besideAccount(dropped)],
    [
      "has only the account, with the header of each response",
      besideAccount(always(404, page), { "x-service-request-id": "req_1" }),
    ],
    [
      "drops the connections of all that reads",
      (request, response) =>
        request.method === "GET" ? dropped(request, response) : always(422, json, "{}")(request, response),
    ],
  ])("gets a run, whose report says what is wrong: it %s", async (_, listener) => {
    const baseUrl = await serverWith(listener);
    vi.stubEnv("CONTRACT_API_KEY", env.CONTRACT_API_KEY);
    onTestFinished(() => void vi.unstubAllEnvs());
    const outcome = runContractCommand({ baseUrl, profile: "core", grep: "AUTH-1" });
    await expect(outcome).resolves.toBe(1);
  });

  test("is asked what it lacks: init takes that out of the run", async () => {
    const baseUrl = await serverWith((request, response) => {
      const exists = request.url?.endsWith("/contacts");
      response.writeHead(exists ? 422 : 404, json).end(error(exists ? "invalid_request" : "not_found"));
    });
    const folder = folderWith();
    let said = "";
    const print = (text: string) => {
      said = text.replaceAll(/\s+/g, " ");
    };
    await runInit({ baseUrl, env, folder, print });
    const missing = ["getMe", "listNewsletterLists", "listCustomFields", "sendEmail"];
    expect(parse(readFileSync(join(folder, "contract.config.yaml"), "utf8")).notImplemented).toEqual(missing);
    expect(said).toContain("getMe was rejected with 404 not_found.");
    const none = await serverWith(always(404, json, error("not_found")));
    expect((await complaint(discoverAt(none))).text.replaceAll(/\s+/g, " ")).toContain(
      "If these do not exist yet: `notImplemented: [getMe, listNewsletterLists, listCustomFields, sendEmail, upsertContact, sendBatch]`.",
    );
  });

  describe("without the operations that a run reads first", () => {
    const reads = ["getMe", "listNewsletterLists", "listCustomFields"] as const;
    const given = (baseUrl: string, ...others: OperationId[]) => ({
      ...settingsFrom(undefined, undefined, { env, baseUrl }),
      notImplemented: [...reads, ...others],
    });

    test.each<[string, OperationId[], RequestListener, string]>([
      ["a send", [], only("POST", "/api/v1/emails", 422, error("invalid_request")), "POST /api/v1/emails"],
      [
        "a contact, if there are no sends",
        ["sendEmail", "sendBatch"],
        only("POST", "/api/v1/newsletter/contacts", 422, error("invalid_request")),
        "POST /api/v1/newsletter/contacts",
      ],
      ["nothing, if there is neither", ["sendEmail", "upsertContact", "sendBatch"], always(401, json), ""],
    ])("gets %s", async (_, others, listener, wanted) => {
      const requests: string[] = [];
      const baseUrl = await serverWith((request, response) => {
        requests.push(`${request.method} ${request.url}`);
        listener(request, response);
      });
      await expect(discover(given(baseUrl, ...others))).resolves.toMatchObject({ lists: [] });
      expect(requests.join()).toBe(wanted);
    });

    test("is told from another one", async () => {
      const other = await serverWith(always(404, page, "<p>Not found"));
      expect((await complaint(discover(given(other)))).text).toContain(
        `POST ${other}/api/v1/emails responds with 404 text/html`,
      );
      const rejecting = await serverWith(always(401, json, error("unauthorized")));
      expect((await complaint(discover(given(rejecting)))).text).toContain("rejects the key");
    });
  });

  test.each([
    [
      "of another notation",
      Buffer.from("{'error': {'type': 'not_found'}}"),
      "is not JSON: {'error': {'type'",
    ],
    ["compressed without saying so", gzipSync(`{"id":7}`), "is not JSON: "],
  ])("has a body that is not JSON, whose start is shown: %s", async (_, body, says) => {
    const baseUrl = await serverWith((_, response) => response.writeHead(422, json).end(body));
    const { text } = await complaint(discoverAt(baseUrl));
    expect(text).toContain(`GET ${baseUrl}/api/v1/me responds with 422 application/json and a body that`);
    expect(text).toContain(says);
    expect(text).not.toContain("the base URL");
    // A server may repeat the key.
    const repeating = await serverWith(always(422, json, `'${env.CONTRACT_API_KEY}'`));
    expect((await complaint(discoverAt(repeating))).text).not.toContain(env.CONTRACT_API_KEY);
  });

  test("rejects the key with a message, which is shown beside what was sent", async () => {
    const { text } = await complaint(
      discoverAt(
        await serverWith(
          always(401, json, error("unauthorized").replace("No.", `Unknown scheme: ${env.CONTRACT_API_KEY}.`)),
        ),
      ),
    );
    expect(text).toContain(`with 401: "Unknown scheme: `);
    expect(text).toContain("Authorization: Bearer ...");
    expect(text).not.toContain(env.CONTRACT_API_KEY);
  });

  test("rejects the key, whatever the body", async () => {
    const baseUrl = await serverWith(always(401, page, "Log in"));
    expect((await complaint(discoverAt(baseUrl))).text).toContain(
      "rejects the key in CONTRACT_API_KEY with 401",
    );
  });

  test.each(variants)(
    "is a conforming variant that $title, with any key",
    async ({ intercept, sandbox: changes }) => {
      const { sandbox, time } = await openSandbox(changes);
      onTestFinished(() => sandbox.close());
      const settings = demoSettings("core");
      const { transport } = createRun(sandbox, time, { settings, ...(intercept && { intercept }) });
      const { full = "", sendOnly = "", noPlan = "" } = settings.keys;
      for (const keys of [{ full }, { full: sendOnly }, { full: noPlan }, {}])
        await expect(
          discover({ ...settings, keys }, { fetch: transport.fetch, time }),
        ).resolves.toHaveProperty("lists");
    },
  );
});
