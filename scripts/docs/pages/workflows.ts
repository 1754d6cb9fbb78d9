import type { CriterionObject } from "@redocly/openapi-core";
import { mapValues } from "../../../lib/objects.ts";
import { count, markdownTable } from "../../../lib/text.ts";
import { operationsOf, type PlacedOperation } from "../../document/operations.ts";
import { baseUrlOf, type ExampleRequest, requestWith } from "../../document/requests.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { type Step, type Workflow, workflowPath, workflowsOf } from "../../document/workflows.ts";
import { inWords, operationPath, type Page, workflowPagePath } from "../page.ts";
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
  const values = valuesIn(workflow);
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
            ({ retryAfter = 0, retryLimit = 0 }) =>
              `Until then, send the request again after ${count(retryAfter, "second")}, up to ${retryLimit} times.`,
          ),
          ...Object.entries(step.outputs ?? {}).map(
            ([name, expression]) =>
              `Keep ${code(inCapitals(name))}: the ${expressionText(String(expression))} of the response.`,
          ),
        ]),
      );
    }),
  );
}

/** `$inputs.from` with its example, and `$steps.send.outputs.messageId` as `MESSAGE_ID`. */
function valuesIn({ inputs, steps }: Workflow): Map<string, unknown> {
  const given = Object.entries(inputs.properties).map(([name, { examples = [] }]): [string, unknown] => [
    `$inputs.${name}`,
    examples[0],
  ]);
  const kept = steps.flatMap(({ stepId, outputs = {} }) =>
    Object.keys(outputs).map((name): [string, unknown] => [
      `$steps.${stepId}.outputs.${name}`,
      inCapitals(name),
    ]),
  );
  return new Map([...given, ...kept]);
}

const inCapitals = (name: string): string => name.replaceAll(/[A-Z]/g, "_$&").toUpperCase();

/** The request of a step. */
function requestOf(
  placed: PlacedOperation,
  { parameters = [] }: Workflow,
  step: Step,
  values: ReadonlyMap<string, unknown>,
): ExampleRequest {
  const given = [...parameters, ...(step.parameters ?? [])]
    .filter(({ name }) => name !== "Authorization")
    .map((one) => ({ ...one, value: filled(one.value, values) }));
  return {
    ...requestWith(placed, given),
    name: step.stepId,
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
  { condition, context, type }: CriterionObject,
  values: ReadonlyMap<string, unknown>,
): string {
  if (type === "jsonpath") return selectedText(String(filled(condition, values)));
  if (type === "regex") return `${expressionText(context ?? "")} to match ${code(condition)}`;
  if (condition === success) return "a success";
  const [left = "", right = ""] = condition.split(" == ");
  if (left === "$statusCode") return `the status ${right}`;
  return `${expressionText(left)} to be ${right.startsWith("$") ? expressionText(right) : code(right.replaceAll("'", ""))}`;
}

/** `$..lists[?@.list_id == 1 && @.status == 'pending']` is an entry of `lists` with these values, `$..fields['to']` is `to` in `fields`. */
function selectedText(path: string): string {
  const [, owner = "", selector = ""] = /^\$\.\.(\w+)\[(.*)\]$/.exec(path) ?? [];
  const values = [...selector.matchAll(/@\.(\w+) == '?([^' ]+)/g)].map(
    ([, name = "", value = ""]) => `${code(name)} ${code(value)}`,
  );
  return values.length === 0
    ? `${code(selector.replaceAll("'", ""))} in ${code(owner)}`
    : `an entry of ${code(owner)} with ${all(values)}`;
}

const success = "$statusCode >= 200 && $statusCode < 300";

/** `$response.body#/error/type` is `error.type`, `$steps.send.outputs.messageId` the `MESSAGE_ID` of another step. */
function expressionText(expression: string): string {
  const [, pointer] = /^\$response\.body#\/(.*)/.exec(expression) ?? [];
  if (pointer !== undefined) return code(pointer.replaceAll("/", "."));
  const [, header] = /^\$response\.header\.(.*)/.exec(expression) ?? [];
  if (header !== undefined) return `the header ${code(header)}`;
  return `${code(inCapitals(expression.split(".").at(-1) ?? ""))} from before`;
}
