import { join } from "node:path";
import { expect, test } from "vitest";
import { publishedDocument } from "../../../scripts/docs/config/document.ts";
import { siteConfig } from "../../../scripts/docs/config/site-config.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import type { OpenApiDocument } from "../../../scripts/document/types.ts";
import { withFiles } from "./files.ts";

/** The document with an overlay of these actions. */
const changed = (...actions: object[]): Promise<OpenApiDocument> =>
  withFiles(
    {
      "overlay.json": JSON.stringify({ overlay: "1.0.0", info: { title: "Changes", version: "1" }, actions }),
    },
    (folder) => publishedDocument(siteConfig({ overlay: join(folder, "overlay.json") })),
  );

test("an update merges objects", async () => {
  const { info } = await changed({ target: "$.info", update: { summary: "Mail." } });
  expect(info).toMatchObject({ title: "Email API", summary: "Mail." });
});

test("an update of a list appends to it", async () => {
  const { servers } = await changed({ target: "$.servers", update: { url: "https://eu.example.com" } });
  expect(servers.map(({ url }) => url)).toEqual(["{base_url}", "https://eu.example.com"]);
});

test("a JSONPath with a filter selects objects by a property", async () => {
  const target = "$.paths.*[?(@.operationId == 'getMe')]";
  const document = await changed({ target, update: { summary: "Read the account" } });
  const found = operationsOf(document).find(({ id }) => id === "getMe");
  expect(found?.operation.summary).toBe("Read the account");
});

test("every selected entry of a list is removed", async () => {
  const { "x-errors": errors } = await changed({
    target: "$['x-errors'][?(@.retry != 'never')]",
    remove: true,
  });
  const kept = (await readBundle())["x-errors"].filter(({ retry }) => retry === "never");
  expect(errors).toEqual(kept);
});

test("an added operation requires the security of the document", async () => {
  const head = {
    operationId: "ping",
    summary: "Ping",
    description: "No body.",
    tags: ["Account"],
    responses: {},
  };
  const document = await changed({ target: "$.paths['/api/v1/me']", update: { head } });
  const added = operationsOf(document).find(({ id }) => id === "ping");
  expect(added?.operation.security).toEqual((document as { security?: object }).security);
});

test("title and base URL of the configuration are in the document", async () => {
  const document = await publishedDocument(
    siteConfig({ title: "Mail", baseUrl: "https://mail.example.com" }),
  );
  expect(document.info.title).toBe("Mail");
  expect(document.servers[0]?.variables?.base_url?.default).toBe("https://mail.example.com");
});

test.for([
  [{ target: "$.nothing", update: {} }, "actions[0] selects nothing in the document (target $.nothing)"],
  [{ target: "$.info[", update: {} }, "actions[0] has an invalid JSONPath (target $.info[)"],
  [
    { target: "info", update: {} },
    'actions[0].target is invalid (A JSONPath that starts with $) (got "info")',
  ],
  [{ target: "$.info" }, "actions[0] must have update or remove (target $.info)"],
  [{ target: "$", remove: true }, "actions[0] must not remove the whole document (target $)"],
  [
    { target: "$.paths['/api/v1/me']", update: { head: { summary: "Ping" } } },
    "HEAD /api/v1/me has no operationId, description, tags, responses",
  ],
] as const)("%o is rejected", async ([action, message]) => {
  await expect(changed(action)).rejects.toThrow(message);
});
