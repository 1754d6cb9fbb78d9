import { isDeepStrictEqual } from "node:util";
import { paths } from "jsonpathly";
import { openapiOverlay } from "openapi-format";
import { displayPath, readTextFile } from "../../../lib/files.ts";
import { type Problem, rejectProblems, schemaProblems } from "../../../lib/schema-errors.ts";
import { type Position, parseYaml, type YamlSource } from "../../../lib/yaml-source.ts";
import { valueAt } from "../../document/json-pointer.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { documentProblems } from "./document-problems.ts";
import schema from "./overlay.schema.json" with { type: "json" };

interface Action {
  target: string;
  update?: unknown;
  remove?: boolean;
}

const hint = "See the OpenAPI Overlay Specification 1.0 and the guide docs/publishing.md.";

/**
 * Applies an OpenAPI Overlay 1.0 to a copy of the document.
 *
 * @param file a YAML or JSON file, absolute
 * @returns the document after each action, and the overlay
 * @throws UserError with exit code 2 that names each invalid action, or the first one that changes nothing
 */
export async function applyOverlay(
  document: OpenApiDocument,
  file: string,
): Promise<{ states: OpenApiDocument[]; source: YamlSource }> {
  const source = parseYaml(readTextFile(file, { maxMegabytes: 4, hint }), displayPath(file), { hint });
  const reject = (problems: readonly Problem[]): void =>
    rejectProblems(problems, { subject: `the overlay ${source.name}`, hint, source });
  reject(schemaProblems(schema, source.value));
  const states: OpenApiDocument[] = [];
  const left: string[][] = [];
  for (const [index, action] of (source.value as { actions: Action[] }).actions.entries()) {
    const result = await applied(structuredClone(states.at(-1) ?? document), action);
    if (typeof result === "string")
      reject([{ path: ["actions", index], message: `${result} (target ${action.target})` }]);
    else {
      states.push(result);
      left.push(documentProblems(result));
    }
  }
  // A later action may complete what an earlier one leaves: only what remains is a problem, of the action that caused it.
  reject(
    (left.at(-1) ?? []).map((message) => ({
      path: ["actions", left.findIndex((found) => found.includes(message))],
      message,
    })),
  );
  return { states, source };
}

/** The document after an action, or the reason why it changes nothing. */
async function applied(document: OpenApiDocument, action: Action): Promise<OpenApiDocument | string> {
  const { target, update, remove } = action;
  if (remove !== true && update === undefined) return "must have update or remove";
  const targets = targetsOf(document, target);
  if (targets === undefined) return "has an invalid JSONPath";
  if (targets.length === 0) return "selects nothing in the document";
  if (remove === true && target === "$") return "must not remove the whole document";
  // The last entry of a list is removed first: the library does not expect that removing one moves the others.
  const actions =
    remove === true ? targets.reverse().map((path) => ({ target: path, remove })) : [{ target, update }];
  // Without a version, the library appends to lists as both 1.0 and 1.1 say; with "1.0.0" it does not.
  const { data, resultData } = await openapiOverlay(document as never, { overlaySet: { actions } } as never);
  const { unusedActions } = resultData as { unusedActions: unknown[] };
  return unusedActions.length === 0
    ? (data as unknown as OpenApiDocument)
    : "has an update of another type than its target";
}

function targetsOf(document: OpenApiDocument, target: string): string[] | undefined {
  try {
    return paths(document, target);
  } catch {
    return undefined;
  }
}

/**
 * Where an overlay changes a document.
 *
 * @param file of the overlay, absolute
 * @returns the file, and for a path into the changed document the position of the last action that changed the nearest place
 */
export async function overlayPlaces(
  document: OpenApiDocument,
  file: string,
): Promise<{ file: string; positionOf(path: readonly string[]): Position }> {
  const { states, source } = await applyOverlay(document, file);
  return {
    file: source.name,
    positionOf(path) {
      const depths = states.map((state, index) => changedDepth(states[index - 1] ?? document, state, path));
      return source.positionOf(["actions", depths.lastIndexOf(Math.max(...depths))]);
    },
  };
}

/** The index in the path of the deepest value that differs; -1 if none does. */
const changedDepth = (before: OpenApiDocument, after: OpenApiDocument, path: readonly string[]): number =>
  path.findLastIndex((_, index) => {
    const [old, changed] = [before, after].map((one) => valueAt(one, path.slice(0, index + 1)));
    return !isDeepStrictEqual(old, changed);
  });
