import { join } from "node:path";
import { expect, test } from "vitest";
import { overlayPlaces } from "../../scripts/docs/config/document.ts";
import { pagesOf } from "../../scripts/docs/page.ts";
import { composeSite } from "../../scripts/docs/site.ts";
import { operationsOf } from "../../scripts/document/operations.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { changed, withFiles } from "./with-files.ts";

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

const ping = {
  operationId: "ping",
  summary: "Ping",
  description: "No body.",
  tags: ["Account"],
  responses: {},
};
const pingPage = async (document: OpenApiDocument): Promise<string> =>
  pagesOf(await composeSite(document)).find(({ path }) => path === "operations/ping")?.text ?? "";
const oven = {
  description: "An oven.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Oven" } } },
};

test("an added operation may have a new tag, and bodies without an example or a schema", async () => {
  const content = { "application/json": { example: { ovens: 2 } } };
  const head = { ...ping, tags: ["Ovens"], responses: { 200: { ...oven, content } } };
  const document = await changed({ target: "$.paths['/api/v1/me']", update: { head } });
  expect(document.tags.map(({ name }) => name)).toContain("Ovens");
  expect(await pingPage(document)).toContain('"ovens": 2');
});

test("the page of an added operation has every error that it states, and links those that all operations share", async () => {
  const example = { error: { type: "cold", message: "The oven is cold." } };
  const content = { "application/json": { example } };
  const responses = {
    401: { $ref: "#/components/responses/Unauthorized" },
    418: { description: "The oven is cold.", content },
  };
  const head = { ...ping, responses };
  const document = await changed({ target: "$.paths['/api/v1/me']", update: { head } });
  const [, errors = ""] = (await pingPage(document)).split("## Errors");
  expect(errors).toContain("**418**");
  expect(errors).toContain('"type": "cold"');
  expect(errors).toContain("](site:errors#401-unauthorized)");
});

test("the body of an added request may be a $ref", async () => {
  const content = { "application/json": { example: { ovens: 2 } } };
  const head = { ...ping, requestBody: { $ref: "#/components/requestBodies/Ovens" } };
  const document = await changed(
    { target: "$.components", update: { requestBodies: { Ovens: { content } } } },
    { target: "$.paths['/api/v1/me']", update: { head } },
  );
  expect(await pingPage(document)).toContain('"ovens": 2');
});

test("a value that the API sends may have a property $ref", async () => {
  const properties = { link: { type: "object", default: { $ref: "#/nothing" } } };
  const { components } = await changed({ target: "$.components.schemas", update: { Oven: { properties } } });
  expect(components.schemas).toHaveProperty("Oven");
});

test("an action may complete what an earlier one leaves", async () => {
  const head = { ...ping, responses: { 200: oven } };
  const { components } = await changed(
    { target: "$.paths['/api/v1/me']", update: { head } },
    { target: "$.components.schemas", update: { Oven: { type: "object" } } },
  );
  expect(components.schemas).toHaveProperty("Oven");
});

test("an added operation requires the security of the document", async () => {
  const document = await changed({ target: "$.paths['/api/v1/me']", update: { head: ping } });
  const added = operationsOf(document).find(({ id }) => id === "ping");
  expect(added?.operation.security).toEqual((document as { security?: object }).security);
});

test("an overlay may set the contact", async () => {
  const { info } = await changed({
    target: "$.info.contact",
    update: { url: "https://help.bakery.example" },
  });
  expect(info.contact?.url).toBe("https://help.bakery.example");
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
    "overlay.json:1:72 actions[0] leaves HEAD /api/v1/me without operationId, description, tags, responses",
  ],
  [
    { target: "$.paths['/api/v1/me']", update: { head: { ...ping, operationId: "getEmail" } } },
    "actions[0] gives two operations the operationId getEmail (/api/v1/emails/{id} and /api/v1/me)",
  ],
  [
    { target: "$.paths['/api/v1/me']", update: { head: { ...ping, responses: { 200: oven } } } },
    "actions[0] leaves the unresolved $ref #/components/schemas/Oven (paths > /api/v1/me > head > responses > 200",
  ],
  [
    { target: "$.components.schemas.Account", remove: true },
    "actions[0] leaves the unresolved $ref #/components/schemas/Account",
  ],
  [
    { target: "$.paths['/api/v1/me']", update: { head: { ...ping, responses: { default: oven } } } },
    "actions[0] leaves the unresolved $ref #/components/schemas/Oven (paths > /api/v1/me > head > responses > default",
  ],
  [
    { target: "$.components.schemas", update: { Oven: { properties: { default: { $ref: "#/nothing" } } } } },
    "unresolved $ref #/nothing (components > schemas > Oven > properties > default)",
  ],
  [
    { target: "$.components.schemas", update: { default: { items: { $ref: "#/nothing" } } } },
    "unresolved $ref #/nothing (components > schemas > default > items)",
  ],
  [
    {
      target: "$.paths['/api/v1/me'].get",
      update: { requestBody: { $ref: "#/components/requestBodies/Me" } },
    },
    "unresolved $ref #/components/requestBodies/Me (paths > /api/v1/me > get > requestBody)",
  ],
  [{ target: "$.paths['/api/v1/me']", update: { head: { ...ping, tags: [] } } }, "tags"],
  [{ target: "$['x-versioning']", remove: true }, "must not remove x-versioning from the document"],
  [{ target: "$.servers", remove: true }, "actions[0] must not remove servers from the document"],
  [
    { target: "$", update: { paths: null } },
    "overlay.json:1:72 actions[0] leaves the document invalid: paths must be an object (got null)",
  ],
  [
    { target: "$.paths['/api/v1/me'].get", update: { tags: "Account" } },
    'leaves the document invalid: paths./api/v1/me.get.tags must be an array (got "Account")',
  ],
  [
    { target: "$.paths['/api/v1/me']", update: { head: { ...ping, responses: { 200: null } } } },
    "leaves the document invalid: paths./api/v1/me.head.responses[200] must be an object (got null)",
  ],
] as const)("%o is rejected", async ([action, message]) => {
  await expect(changed(action)).rejects.toThrow(message);
});

test("a place of the changed document leads to the last action that changed it, or what is nearest", async () => {
  const overlay = `overlay: 1.0.0
info: { title: Changes, version: 1.0.0 }
actions:
  - { target: $.info, update: { summary: Mail. } }
  - target: $.paths
    update: { /api/v1/ping: { get: { operationId: ping } } }
  - { target: "$.paths['/api/v1/ping'].get", update: { tags: [account], summary: Ping, description: Pong., responses: {} } }
`;
  await withFiles({ "overlay.yaml": overlay }, async (folder) => {
    const { file, positionOf } = await overlayPlaces(await readBundle(), join(folder, "overlay.yaml"));
    expect(file).toMatch(/overlay\.yaml$/);
    const line = (...path: string[]): number => positionOf(path).line;
    expect(line("info")).toBe(4);
    expect(line("info", "summary")).toBe(4);
    expect(line("paths", "/api/v1/ping", "get", "responses", "401")).toBe(7);
    expect(line("paths", "/api/v1/ping", "post")).toBe(7);
  });
});
