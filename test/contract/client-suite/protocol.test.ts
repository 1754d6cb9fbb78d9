import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import schema from "../../../contract/client-suite/driver/driver-protocol.schema.json" with { type: "json" };
import { operations } from "../../../generated/operations.ts";
import { schemaProblems } from "../../../lib/schema-errors.ts";
import { root } from "../../../scripts/common/paths.ts";

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
