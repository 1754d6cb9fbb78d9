import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseYaml, type YamlSource } from "../../lib/yaml-source.ts";
import { displayPath, openapiFolder } from "../common/paths.ts";
import { operationsOf } from "./operations.ts";
import type { OpenApiDocument } from "./types.ts";

/** A file of `openapi/workflows`: one journey through the API, as Arazzo 1.0.1 describes it. */
export interface WorkflowFile extends Arazzo {
  /** The file without its endings: `send-and-follow`. */
  name: string;
  /** Absolute. */
  file: string;
  text: string;
  source: YamlSource;
}

interface Arazzo {
  info: { title: string; summary: string };
  workflows: Workflow[];
}

export interface Workflow {
  workflowId: string;
  summary: string;
  description: string;
  inputs: { properties: Record<string, WorkflowInput> };
  /** Of each step. */
  parameters?: StepParameter[];
  steps: Step[];
}

/** A JSON Schema. */
export interface WorkflowInput {
  description: string;
  format?: string;
  examples?: unknown[];
}

export interface StepParameter {
  name: string;
  in: "path" | "query" | "header";
  /** May contain runtime expressions: `Bearer {$inputs.apiKey}`. */
  value: string;
}

export interface Step {
  stepId: string;
  description: string;
  operationId: string;
  parameters?: StepParameter[];
  /** The payload may contain runtime expressions. */
  requestBody?: { payload: unknown };
  successCriteria: Criterion[];
  onFailure?: { retryAfter: number; retryLimit: number }[];
  /** Runtime expressions by name. */
  outputs?: Record<string, string>;
}

export interface Criterion {
  condition: string;
  context?: string;
  type?: "regex" | "jsonpath";
}

/** The file from the folder of the document, and on the site. */
export const workflowPath = (name: string): string => `workflows/${name}${ending}`;

const ending = ".arazzo.yaml";

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
    const source = parseYaml(text, displayPath(file));
    // The lint compares it with the specification of Arazzo.
    return { ...(source.value as Arazzo), name: basename(name, ending), file, text, source };
  });
}

/** The workflows whose operations a document has: an overlay, or an earlier version, may lack some. */
export function workflowsOf(document: OpenApiDocument): WorkflowFile[] {
  const ids = operationsOf(document).map(({ id }) => id);
  return readWorkflows().filter(({ workflows }) =>
    workflows.every(({ steps }) => steps.every(({ operationId }) => ids.includes(operationId))),
  );
}
