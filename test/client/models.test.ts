import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { operations } from "../../generated/operations.ts";
import { root } from "../../scripts/common/paths.ts";

const text = (file: string): Promise<string> => readFile(join(root, "generated/client", file), "utf8");

test("the types of bodies are flat: no references to a tree of components", async () => {
  const models = await text("models.ts");
  expect(models).not.toContain("components[");
  expect(models).toMatch(/type SendResponse = \{[^}]*\n {4}id: string;/);
  expect(models).toMatch(/interface ContentSend \{[^}]*\n {4}to: string\[\];/);
  expect(models).toContain('export type MessageStatus = "scheduled" | "queued"');
  // Only schemas of requests and responses.
  expect(models).not.toContain("PageCursor");
});

test("a property that a variant excludes has a type that names the conflict", async () => {
  const models = await text("models.ts");
  expect(models).toMatch(
    /interface TemplateSend \{[^}]*subject\?: \(typeof Conflict\)\["subject cannot be combined with template_id"\];/,
  );
  expect(models).toContain('"path cannot be combined with content" = ');
  // Excluded from every variant.
  expect(models).toMatch(/interface BatchTemplateMessage \{[^}]*scheduled_at\?: never;/);
});

test("every request body has a type", async () => {
  const models = await text("models.ts");
  const bodies = Object.values(operations).flatMap(({ requestBody }) => requestBody ?? []);
  for (const body of bodies) expect(models).toMatch(new RegExp(`export (interface|type) ${body} `));
});

test("paths.ts has the paths of the document, with the same types", async () => {
  const paths = await text("paths.ts");
  expect(paths).not.toContain('components["schemas"]');
  for (const { path, id } of Object.values(operations)) {
    expect(paths).toContain(`"${path}": {`);
    expect(paths).toContain(`operations["${id}"]`);
  }
});
