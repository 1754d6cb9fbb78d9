import { access } from "node:fs/promises";
import { bundle, createConfig } from "@redocly/openapi-core";
import { UserError } from "../../lib/user-error.ts";
import { displayPath } from "../common/display-path.ts";
import { isNode, type Node } from "../document/values.ts";
import { bundleError } from "./problems.ts";

type NodeTypes = Record<string, { properties: object }>;

const tableOrValue = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null ? "Table" : undefined;

/**
 * Node types for Redocly: gateway responses are responses, of which it makes components, and every other `x-` key of the
 * root is a table, at any depth of which a `$ref` is followed.
 */
const contractTypes = {
  id: "contract",
  typeExtension: {
    oas3: (types: NodeTypes) => ({
      ...types,
      Table: { properties: {}, additionalProperties: tableOrValue, items: tableOrValue },
      Root: {
        properties: { ...types.Root?.properties, "x-gateway-responses": "Responses" },
        additionalProperties: "Table",
      },
    }),
  },
};

/**
 * The split document as one value, merged by Redocly: files of schemas, responses, parameters, headers and examples are
 * components, other files replace their `$ref`.
 *
 * @param source the root file, absolute
 * @throws UserError with file, line and column for invalid YAML and an unresolved `$ref`
 */
export async function mergeFiles(source: string): Promise<Node> {
  await access(source).catch(() => {
    throw new UserError(`there is no document ${displayPath(source)}`, { hint: "Restore the root file." });
  });
  // A configuration of its own, so that no configuration file nearby has an effect.
  const config = await createConfig({ plugins: [contractTypes] });
  const options = { ref: source, config, componentRenamingConflicts: "error" } as const;
  const { bundle: merged, problems } = await bundle(options).catch((error: unknown) => {
    throw bundleError([error]);
  });
  if (problems.length > 0) throw bundleError(problems);
  if (!isNode(merged.parsed)) throw new UserError(`${displayPath(source)} is not an OpenAPI document`);
  // Redocly shares the nodes of its cache between the places that refer to them.
  return structuredClone(merged.parsed);
}
