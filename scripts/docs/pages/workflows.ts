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
  workflowPath,
  workflowsOf,
} from "../../document/workflows.ts";
import { inWords, operationPath, type Page, workflowPagePath } from "../page.ts";
import { examplesOf } from "../parts/examples.ts";
import { mediaOf } from "../parts/responses.ts";
import { sampleTabs, written } from "../samples/samples.ts";
import { all, box, bulletList, code, joined, siteLink } from "../text/markdown.ts";

/** A page for each file of workflows. */
export function workflowPages(document: OpenApiDocument): Page[] {
  const operations = new Map(operationsOf(document).map((placed) => [placed.id, placed]));
  return workflowsOf(document).map(({ name, info, workflows }) => ({
    path: workflowPagePath(name),
    source: `openapi/${workflowPath(name)}`,
    title: info.title,
    description: info.summary,
    text: joined(
      info.summary,
      ...workflows.map((one) => workflowText(document, operations, one, workflows.length > 1)),
      "## As a file",
      `${siteLink(`${name}.arazzo.yaml`, workflowPath(name))} describes these steps in Arazzo 1.0.1, for tools that run workflows against a server, such as Respect.`,
    ),
  }));
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
          sampleTabs(`${workflowId}-step${index + 1}`, written(request, baseUrlOf(document))),
        ),
        bulletList([
          `Operation: ${siteLink(placed.operation.summary, operationPath(placed.id))}`,
          `Expect ${all(step.successCriteria.map((criterion) => criterionText(criterion, values)))}.`,
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
  const kept = steps.flatMap((step) =>
    Object.entries(step.outputs ?? {}).map(
      ([name, expression]) =>
        [
          `$steps.${step.stepId}.outputs.${name}`,
          exampleOf(document, operations.get(step.operationId), step, expression),
        ] as const,
    ),
  );
  return new Map([...given, ...kept]);
}

/** What an output has in the first example of a success that has it as the step expects it. */
function exampleOf(
  document: OpenApiDocument,
  placed: PlacedOperation | undefined,
  { successCriteria }: Step,
  expression: string,
): unknown {
  const wanted = successCriteria.find(({ type, context }) => type === "regex" && context === expression);
  const pattern = new RegExp(wanted?.condition ?? "");
  const successes = Object.entries(placed?.operation.responses ?? {}).filter(([status]) => !isError(status));
  return successes
    .flatMap(([, one]) => examplesOf(document, mediaOf(dereference<ResponseObject>(document, one))))
    .map(([, { value }]) => valueAtPointer(value, expression.replace("$response.body#", "")))
    .find((value) => value !== undefined && pattern.test(String(value)));
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
function criterionText(
  { condition, context, type }: Criterion,
  values: ReadonlyMap<string, unknown>,
): string {
  if (type === "jsonpath") return `a value at the JSONPath ${code(String(filled(condition, values)))}`;
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
