import { mapValues } from "../../../lib/objects.ts";
import { count, markdownTable } from "../../../lib/text.ts";
import { valueAtPointer } from "../../document/json-pointer.ts";
import { operationsOf, type PlacedOperation } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import { baseUrlOf, type ExampleRequest } from "../../document/requests.ts";
import { isError } from "../../document/responses.ts";
import type { OpenApiDocument, ResponseObject } from "../../document/types.ts";
import {
  type Criterion,
  type Step,
  type StepParameter,
  type Workflow,
  type WorkflowFile,
  workflowPath,
} from "../../document/workflows.ts";
import { inWords, operationPath, type Page } from "../page.ts";
import { examplesOf } from "../parts/examples.ts";
import { mediaOf } from "../parts/responses.ts";
import { sampleTabs, written } from "../samples/samples.ts";
import { all, box, bulletList, code, joined, siteLink } from "../text/markdown.ts";

/** A page for each file of workflows whose operations the document has: an overlay may have removed some. */
export function workflowPages(document: OpenApiDocument, files: readonly WorkflowFile[]): Page[] {
  const operations = new Map(operationsOf(document).map((placed) => [placed.id, placed]));
  return files.flatMap(({ name, info, workflows }): Page[] => {
    const isWhole = workflows.every(({ steps }) => steps.every((step) => operations.has(step.operationId)));
    if (!isWhole) return [];
    const parts = workflows.map((workflow) =>
      workflowText(document, operations, workflow, workflows.length > 1),
    );
    return [
      {
        path: `workflows/${name}`,
        source: `openapi/${workflowPath(name)}`,
        title: info.title,
        description: info.summary,
        text: joined(
          info.summary,
          ...parts,
          "## As a file",
          `${siteLink(`${name}.arazzo.yaml`, workflowPath(name))} describes these steps in Arazzo 1.0.1, for tools that run workflows against a server, such as Respect.`,
        ),
      },
    ];
  });
}

function workflowText(
  document: OpenApiDocument,
  operations: ReadonlyMap<string, PlacedOperation>,
  workflow: Workflow,
  hasTitle: boolean,
): string {
  const { workflowId, summary, description, inputs, steps } = workflow;
  const given = Object.entries(inputs.properties).map(([name, input]) => [code(name), input.description]);
  const values = valuesIn(document, operations, workflow);
  return joined(
    hasTitle ? `## ${summary}` : "",
    description,
    hasTitle ? "" : "## You need",
    markdownTable(["Value", "What it is"], given),
    hasTitle ? "" : "## Steps",
    ...steps.map((step, index) => {
      const placed = operations.get(step.operationId) as PlacedOperation;
      const request = requestOf(placed, workflow, step, values);
      return joined(
        `### ${index + 1}. ${inWords(step.stepId)}`,
        step.description,
        box(
          "panel request",
          sampleTabs(`${workflowId}-${step.stepId}`, written(request, baseUrlOf(document))),
        ),
        bulletList([
          `Operation: ${siteLink(placed.operation.summary, operationPath(placed.id))}`,
          `Expect ${all(step.successCriteria.map(criterionText))}.`,
          ...(step.onFailure ?? []).map(
            ({ retryAfter, retryLimit }) =>
              `Until then, send the request again after ${count(retryAfter, "second")}, up to ${retryLimit} times.`,
          ),
          ...Object.entries(step.outputs ?? {}).map(
            ([name, expression]) => `Keep ${code(name)}: the ${expressionText(expression)} of the response.`,
          ),
        ]),
      );
    }),
  );
}

/** `$inputs.from` and `$steps.send.outputs.messageId`, each with an example. */
function valuesIn(
  document: OpenApiDocument,
  operations: ReadonlyMap<string, PlacedOperation>,
  { inputs, steps }: Workflow,
): Map<string, unknown> {
  const given = Object.entries(inputs.properties).map(
    ([name, { examples = [] }]) => [`$inputs.${name}`, examples[0]] as const,
  );
  const kept = steps.flatMap(({ stepId, operationId, outputs = {} }) =>
    Object.entries(outputs).map(([name, expression]) => {
      const pointer = expression.replace("$response.body#", "");
      return [
        `$steps.${stepId}.outputs.${name}`,
        exampleAt(document, operations.get(operationId), pointer),
      ] as const;
    }),
  );
  return new Map([...given, ...kept]);
}

/** The value at a JSON Pointer in the first example of a success that has one. */
function exampleAt(document: OpenApiDocument, placed: PlacedOperation | undefined, pointer: string): unknown {
  const successes = Object.entries(placed?.operation.responses ?? {}).filter(([status]) => !isError(status));
  const bodies = successes.flatMap(([, response]) =>
    examplesOf(document, mediaOf(dereference<ResponseObject>(document, response))),
  );
  return bodies.map(([, { value }]) => valueAtPointer(value, pointer)).find((value) => value !== undefined);
}

/** The request of a step: what the workflow does not pass on has an example. */
function requestOf(
  { id, method, path }: PlacedOperation,
  { parameters = [] }: Workflow,
  step: Step,
  values: ReadonlyMap<string, unknown>,
): ExampleRequest {
  const given = [...parameters, ...(step.parameters ?? [])].map(
    (one): StepParameter => ({ ...one, value: String(filled(one.value, values)) }),
  );
  const pathValue = (name: string): string =>
    given.find((one) => one.in === "path" && one.name === name)?.value ?? "";
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const headers = given.filter((one) => one.in === "header" && one.name !== "Authorization");
  return {
    operationId: id,
    name: step.stepId,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathValue(name))),
    pathParameters: names.map(pathValue),
    query: {},
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    ...(step.requestBody !== undefined && { body: filled(step.requestBody.payload, values) }),
  };
}

/** A copy with the values of runtime expressions: of a whole text, or in braces within one. */
function filled(part: unknown, values: ReadonlyMap<string, unknown>): unknown {
  if (typeof part === "string")
    return values.has(part)
      ? values.get(part)
      : part.replaceAll(/\{(\$[^}]+)\}/g, (whole, expression: string) =>
          String(values.get(expression) ?? whole),
        );
  if (Array.isArray(part)) return part.map((entry) => filled(entry, values));
  if (typeof part !== "object" || part === null) return part;
  return mapValues(part, (value) => filled(value, values));
}

/** What a step expects, in words: "the status 202", "`status` to be `canceled`". */
function criterionText({ condition, context, type }: Criterion): string {
  if (type === "jsonpath") return `a value at the JSONPath ${code(condition)}`;
  if (type === "regex") return `${expressionText(context ?? "")} to match ${code(condition)}`;
  if (condition === success) return "a success";
  const [left = "", right = ""] = condition.split(" == ");
  if (left === "$statusCode") return `the status ${right}`;
  return `${expressionText(left)} to be ${right.startsWith("$") ? expressionText(right) : code(right.replaceAll("'", ""))}`;
}

const success = "$statusCode >= 200 && $statusCode < 300";

/** `$response.body#/error/type` is `error.type`, `$steps.send.outputs.messageId` the `messageId` of another step. */
function expressionText(expression: string): string {
  const [, pointer] = /^\$response\.body#\/(.*)/.exec(expression) ?? [];
  if (pointer !== undefined) return code(pointer.replaceAll("/", "."));
  const [, header] = /^\$response\.header\.(.*)/.exec(expression) ?? [];
  if (header !== undefined) return `the header ${code(header)}`;
  return `${code(expression.split(".").at(-1) ?? "")} from before`;
}
