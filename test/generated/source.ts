import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { parse } from "yaml";
import { type OperationRow, operations } from "../../generated/operations.ts";
import { mapValues } from "../../lib/objects.ts";
import { openapiFolder } from "../../scripts/common/paths.ts";
import { isNode } from "../../scripts/document/values.ts";

/** The folders of the document whose files are components. */
export const kinds = ["schemas", "responses", "parameters", "headers", "examples"] as const;

/** The names of the files of a folder of the document, without their endings. */
export function names(folder: string): string[] {
  return readdirSync(join(openapiFolder, folder))
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => basename(file, ".yaml"))
    .sort();
}

/**
 * A file of the document as it must stand in the bundle: references to components as pointers, other files in the place
 * of the reference. Written without the code under test.
 */
export function source(file: string): unknown {
  const path = join(openapiFolder, file);
  return settled(parse(readFileSync(path, "utf8"), { maxAliasCount: -1 }), dirname(path));
}

function settled(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((item) => settled(item, folder));
  if (!isNode(value)) return value;
  if (typeof value.$ref === "string" && !value.$ref.startsWith("#")) {
    const { $ref, ...beside } = value;
    const target = relative(openapiFolder, join(folder, $ref)).replaceAll("\\", "/");
    const [kind = "", file = ""] = target.split("/");
    const isComponent = (kinds as readonly string[]).includes(kind);
    return isComponent
      ? { $ref: `#/components/${kind}/${basename(file, ".yaml")}`, ...beside }
      : source(target);
  }
  const { "x-operation-selectors": _, ...rest } = value;
  return mapValues(rest, (inner, key) =>
    key === "x-operations" || key === "operations" ? selected(inner) : settled(inner, folder),
  );
}

/** What each selector of operations means, written without the code under test. */
const selectors: Record<string, (row: OperationRow) => boolean> = {
  all: () => true,
  emails: ({ product }) => product === "email",
  sends: ({ product, method }) => product === "email" && method === "POST",
  "email-by-id": ({ path }) => path.startsWith("/api/v1/emails/{id}"),
  newsletter: ({ product }) => product === "newsletter",
  "newsletter-reads": ({ ability }) => ability === "newsletter:read",
  "newsletter-writes": ({ ability }) => ability === "newsletter:manage",
  contacts: ({ path }) => /^\/api\/v1\/newsletter\/contacts(\/|$)/.test(path),
  "contact-by-email": ({ path }) => path.startsWith("/api/v1/newsletter/contacts/{email}"),
  "with-product": ({ product }) => product !== null,
  "with-body": ({ requestBody }) => requestBody !== null,
  validated: ({ requestBody, queryParameters }) => requestBody !== null || queryParameters.length > 0,
  idempotent: ({ idempotent }) => idempotent,
};

/** The operationIds that a list of operationIds and selectors, or a single one, stands for. */
function selected(names: unknown): string[] {
  const rows: OperationRow[] = Object.values(operations);
  const ids = [names].flat().flatMap((name) => {
    const selects = selectors[String(name)] ?? (({ id }: OperationRow) => id === name);
    return rows.filter(selects).map(({ id }) => id);
  });
  return [...new Set(ids)];
}

/** The same value with the numbers put into its texts, for comparing it with the bundle. */
export function withNumbers(value: unknown, limits: Readonly<Record<string, number>>): unknown {
  const text = JSON.stringify(value).replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(limits[name]));
  return JSON.parse(text);
}
