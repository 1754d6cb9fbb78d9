import { expect, test } from "vitest";
import type { Needs } from "../../generated/schema-types.ts";
import { withConcerns } from "../../scripts/diff/comparison.ts";
import { diff } from "../../scripts/diff/documents.ts";
import { frozenRelease } from "../../scripts/diff/inputs.ts";
import { concernsOf } from "../../scripts/diff/needs.ts";
import { comparisonAnnotations, comparisonMarkdown, comparisonText } from "../../scripts/diff/render.ts";
import { type Editable, schema } from "./changes/change.ts";

const needs: Needs = {
  format: 1,
  tool: { name: "email-api-contract", version: "1.0.0" },
  requirements: ["SEND-31"],
  operations: ["sendEmail", "getEmail"],
  statuses: ["sendEmail 202", "getEmail 2XX"],
  errors: ["sendEmail 401 unauthorized"],
  parameters: ["getEmail id", "sendEmail Idempotency-Key"],
  properties: ["sendEmail from", "sendEmail to", "sendEmail subject", "sendEmail text"],
  responseProperties: [
    "sendEmail id",
    ...["getEmail id", "getEmail subject", "getEmail bounce", "getEmail events", "getEmail events.*.type"],
  ],
};

/** What the differences that an edit makes concern, by their pointers. */
async function concernsAfter(edit: (document: Editable) => void) {
  const base: Editable = await frozenRelease("1.0.0");
  const revision = structuredClone(base);
  edit(revision);
  const comparison = withConcerns(diff(base, revision), concernsOf(needs, base, revision));
  return { comparison, all: comparison.differences.map(({ pointer, concerns }) => [pointer, concerns]) };
}

test("a property that the application uses concerns it, another one does not", async () => {
  const { comparison, all } = await concernsAfter((document) => {
    schema(document, "Subject").maxLength = 500;
    delete schema(document, "Bounce").properties.summary;
    schema(document, "Attachment").description = "Another text.";
  });
  const found = Object.fromEntries(all);
  expect(found["/components/schemas/Subject/maxLength"]).toContain("sendEmail subject");
  expect(found["/components/schemas/Bounce/properties/summary"]).toEqual([]);
  expect(found["/components/schemas/Attachment/description"]).toEqual([]);
  expect(comparison.concerning).toEqual({ breaking: 1, additive: 0, editorial: 0 });
  const text = comparisonText({ ...comparison, base: "a", revision: "b" });
  expect(text).toContain("concerns the application: sendEmail subject");
  const named = { ...comparison, base: "a", revision: "b" };
  const lines = [...comparisonMarkdown(named).split("\n"), ...comparisonAnnotations(named).split("\n")];
  const marked = lines.filter((line) => line.includes("Concerns the application: sendEmail subject"));
  expect(marked).toEqual([
    expect.stringMatching(/^\| .*Subject/),
    expect.stringMatching(/^::error .*Subject/),
  ]);
  expect(text.replaceAll(/\s+/g, " ")).toContain(
    "Of these, 1 breaking, 0 additive, 0 editorial concern the application.",
  );
});

test("a new required property concerns an application that does not send it", async () => {
  const { comparison } = await concernsAfter((document) => {
    schema(document, "ContentSend").required.push("tags");
  });
  expect(comparison.concerning?.breaking).toBe(comparison.counts.breaking);
});

test("a change behind the $ref of a parameter or a header concerns an application that uses it", async () => {
  const { all } = await concernsAfter((document) => {
    schema(document, "IdempotencyKey").maxLength = 5;
    schema(document, "MessageId").maxLength = 5;
    schema(document, "PageCursor").maxLength = 5;
    document.components.headers.ServiceRequestId.schema.maxLength = 5;
  });
  const found = Object.fromEntries(all);
  expect(found["/components/schemas/IdempotencyKey/maxLength"]).toEqual(["sendEmail Idempotency-Key"]);
  expect(found["/components/schemas/MessageId/maxLength"]).toContain("getEmail id");
  expect(found["/components/schemas/PageCursor/maxLength"]).toEqual([]);
  expect(found["/components/headers/ServiceRequestId/schema/maxLength"]).toContain("sendEmail 202");
});

test("a removed response property of a list concerns an application that reads it", async () => {
  const { all } = await concernsAfter((document) => {
    delete schema(document, "MessageEvent").properties.type;
    delete schema(document, "MessageEvent").properties.detail;
  });
  const found = Object.fromEntries(all);
  expect(found["/components/schemas/MessageEvent/properties/type"]).toEqual(["getEmail events.*.type"]);
  expect(found["/components/schemas/MessageEvent/properties/detail"]).toEqual([]);
});

test("requirements and errors concern it if it relies on them, and operations that it does not have never do", async () => {
  const { all } = await concernsAfter((document) => {
    for (const row of Object.values(document["x-requirements"]).flat() as Editable[])
      if (["SEND-31", "SEND-1"].includes(row.id)) row.text = "Another text.";
    for (const row of document["x-errors"])
      if (/^(401.unauthorized|409.*)$/.test(row.id)) row.when = "Another text.";
    document.paths["/api/v1/me"].get.summary = "Another text.";
    document.paths["/api/v1/emails"].post.summary = "Another text.";
  });
  const concerned = all.map(([, concerns]) => concerns).filter((concerns) => concerns?.length !== 0);
  expect(concerned.flat().sort()).toEqual(["SEND-31", "sendEmail", "sendEmail 401 unauthorized"]);
});

/** What concerns the application, by pointer: changes that concern nothing are left out. */
async function concerning(edit: (document: Editable) => void) {
  const { all } = await concernsAfter(edit);
  return Object.fromEntries(all.filter(([, concerns]) => concerns?.length !== 0));
}

const send = "/paths/~1api~1v1~1emails/post";

test.each(["200", "201", "2XX"])(
  "the success status %s in place of that which it has concerns it",
  async (status) => {
    const all = await concerning(({ paths }) => {
      const { responses } = paths["/api/v1/emails"].post;
      responses[status] = responses["202"];
      delete responses["202"];
    });
    expect(all).toEqual({ [`${send}/responses/${status}`]: ["sendEmail 202"] });
  },
);

test("a further success status concerns it, one that it does not have does not", async () => {
  const all = await concerning(({ paths }) => {
    const { responses } = paths["/api/v1/emails"].post;
    responses["201"] = responses["202"];
    paths["/api/v1/newsletter/contacts"].post.responses["202"] = responses["202"];
  });
  expect(all).toEqual({ [`${send}/responses/201`]: ["sendEmail 202"] });
});

test("another authentication concerns each operation that it has", async () => {
  const { comparison, all } = await concernsAfter(({ components }) => {
    components.securitySchemes.bearerAuth = { type: "apiKey", in: "header", name: "X-Key" };
  });
  const scheme = "/components/securitySchemes/bearerAuth";
  for (const key of ["type", "in", "name", "scheme"])
    expect(all).toContainEqual([`${scheme}/${key}`, ["sendEmail", "getEmail"]]);
  expect(comparison.differences[0]?.operations).toHaveLength(11);
});

test("the security and the servers of the document concern it", async () => {
  const all = await concerning((document) => {
    document.security = [];
    document.servers = [{ url: "https://other.example" }];
  });
  expect(Object.keys(all)).toContain("/security");
  expect(Object.keys(all).filter((pointer) => pointer.startsWith("/servers"))).not.toEqual([]);
});

test("a parameter concerns it where it sends it or must", async () => {
  const extra = (name: string, required: boolean) => ({
    name,
    required,
    in: "header",
    schema: { type: "string" },
  });
  const all = await concerning(({ paths }) => {
    const { post } = paths["/api/v1/emails"];
    post.parameters = [extra("X-Optional", false), extra("X-Required", true)];
    delete paths["/api/v1/emails/batch"].post.parameters;
    const key = { $ref: "#/components/parameters/IdempotencyKeyParameter" };
    paths["/api/v1/emails/{id}"].get.parameters = [key];
  });
  expect(all).toEqual({
    [`${send}/parameters/0`]: ["sendEmail Idempotency-Key"],
    [`${send}/parameters/1`]: ["sendEmail X-Required"],
  });
});

test("a shared parameter with another name is one change, and concerns it", async () => {
  const { all } = await concernsAfter(({ components }) => {
    components.parameters.IdempotencyKeyParameter.name = "X-Key";
  });
  const pointer = "/components/parameters/IdempotencyKeyParameter/name";
  expect(all).toEqual([[pointer, ["sendEmail Idempotency-Key"]]]);
});

test("an operation with another operationId is the same one", async () => {
  const all = await concerning((document) => {
    const { post } = document.paths["/api/v1/emails"];
    post.operationId = "sendMail";
    schema(document, "Subject").maxLength = 500;
  });
  expect(all[`${send}/operationId`]).toEqual(["sendEmail"]);
  expect(all["/components/schemas/Subject/maxLength"]).toEqual(["sendEmail subject"]);
});

test("a renamed property concerns an application that has it by its old name", async () => {
  const all = await concerning((document) => {
    for (const [name, old, now] of [
      ["ContentSend", "subject", "title"],
      ["ContentSend", "reply_to", "replies_to"],
      ["Message", "bounce", "bounced"],
      ["Message", "sent_at", "left_at"],
    ] as const) {
      const { properties, required = [] } = schema(document, name);
      properties[now] = properties[old];
      delete properties[old];
      if (required.includes(old)) required[required.indexOf(old)] = now;
    }
  });
  const properties = "/components/schemas/Message/properties";
  expect(all[`${properties}/bounced`]).toEqual(["getEmail bounce"]);
  expect(Object.keys(all)).not.toContain(`${properties}/left_at`);
  expect(all["/components/schemas/ContentSend/properties/title"]).toContain("sendEmail subject");
  expect(Object.keys(all)).not.toContain("/components/schemas/ContentSend/properties/replies_to");
});
