import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type * as Arazzo from "@redocly/openapi-core";
import { parseYaml, type YamlSource } from "../../lib/yaml-source.ts";
import { displayPath, openapiFolder } from "../common/paths.ts";
import { operationsOf } from "./operations.ts";
import type { OpenApiDocument } from "./types.ts";
import { isNode } from "./values.ts";

/** A file of `openapi/workflows`: one journey through the API, as Arazzo 1.0.1 describes it. */
export interface WorkflowFile {
  /** The file without its endings: `send-and-follow`. */
  name: string;
  /** Absolute. */
  file: string;
  text: string;
  source: Pick<YamlSource, "name" | "positionOf">;
  info: Required<Pick<Arazzo.InfoObject, "title" | "summary">>;
  workflows: Workflow[];
}

/** All that the workflows of the document have: its operations by `operationId`, inputs and criteria. */
export interface Workflow extends Required<Pick<Arazzo.Workflow, "workflowId" | "summary" | "description">> {
  inputs: { properties: Record<string, { description: string; examples?: unknown[] }> };
  /** Of each step. */
  parameters?: Arazzo.Parameter[];
  steps: Step[];
}

export type Step = Arazzo.Step &
  Required<Pick<Arazzo.Step, "description" | "operationId" | "successCriteria">>;

/** The file from the folder of the document, and on the site. */
export const workflowPath = (name: string): string => `workflows/${name}${ending}`;

const ending = ".arazzo.yaml";

/** The document that workflows on the site name. */
export const workflowSource = "workflows/openapi-exact-statuses.json";

/**
 * The workflows of the document, by file name; none if the folder does not exist.
 * @throws UserError with file and line for a file that is not YAML
 */
export function readWorkflows(folder: string = join(openapiFolder, "workflows")): WorkflowFile[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(ending));
  return names.sort().map((name) => {
    const file = join(folder, name);
    const text = readFileSync(file, "utf8");
    // The lint compares it with the specification of Arazzo.
    const { value, ...source } = parseYaml(text, displayPath(file));
    const { info, workflows } = value as WorkflowFile;
    return { info, workflows, name: basename(name, ending), file, text, source };
  });
}

/** The workflows whose operations a document has: an overlay, or an earlier version, may lack some. */
export function workflowsOf(document: OpenApiDocument): WorkflowFile[] {
  const ids = operationsOf(document).map(({ id }) => id);
  return readWorkflows().filter(({ workflows }) =>
    workflows.every(({ steps }) => steps.every(({ operationId }) => ids.includes(operationId))),
  );
}

/** The files of workflows on the site, with the document that they name: Respect and other tools do not take `2XX` for a success. */
export const workflowFiles = (document: OpenApiDocument): [string, string][] => [
  [workflowSource, JSON.stringify(document, withExactStatuses, 2)],
  ...workflowsOf(document).map(({ name, text }): [string, string] => [
    workflowPath(name),
    text.replace("../../generated/openapi.json", basename(workflowSource)),
  ]),
];

/** The responses `200` to `204` in place of `2XX`. */
function withExactStatuses(key: string, value: unknown): unknown {
  if (key !== "responses" || !isNode(value)) return value;
  const { "2XX": success, ...others } = value;
  return { 200: success, 201: success, 202: success, 203: success, 204: success, ...others };
}
