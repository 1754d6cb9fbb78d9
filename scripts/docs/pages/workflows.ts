import { basename } from "node:path";
import type { CriterionObject } from "@redocly/openapi-core";
import { count, markdownTable } from "../../../lib/text.ts";
import { sandboxUrl } from "../../common/sandbox-url.ts";
import { keysOfDemo } from "../../contract/targets.ts";
import { operationsOf, type PlacedOperation } from "../../document/operations.ts";
import { baseUrlOf, requestWith } from "../../document/requests.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { type Workflow, workflowPath, workflowSource, workflowsOf } from "../../document/workflows.ts";
import { inWords, operationPath, type Page, workflowPagePath } from "../page.ts";
import { type Sample, sampleTabs, written } from "../samples/samples.ts";
import { all, box, bulletList, code, codeBlock, joined, siteLink } from "../text/markdown.ts";

/** A page for each file of workflows. */
export function workflowPages(document: OpenApiDocument): Page[] {
  const baseUrl = baseUrlOf(document);
  const operations = new Map(operationsOf(document).map((placed) => [placed.id, placed]));
  return workflowsOf(document).map(({ name, info, workflows }) => ({
    path: workflowPagePath(name),
    source: `openapi/${workflowPath(name)}`,
    title: info.title,
    description: info.summary,
    text: joined(
      info.summary,
      "## You need",
      markdownTable(
        ["Value", "In the samples", "What it is"],
        // The first workflow of a file has the inputs of all.
        workflows
          .slice(0, 1)
          .flatMap(inputsOf)
          .map(([input, sample, meaning]) => [code(input), code(String(sample)), meaning]),
      ),
      "The samples read the API keys from environment variables. Those of curl also read `EMAIL_API_URL`, the base URL, and each value that a step says to keep. In another language, put in your base URL and these values.",
      ...workflows.map((one) =>
        joined(`## ${workflows.length > 1 ? one.summary : "Steps"}`, stepsText(operations, one, baseUrl)),
      ),
      "## As a file",
      `${siteLink(`${name}.arazzo.yaml`, workflowPath(name))} describes these steps in Arazzo 1.0.1, for tools that run workflows against a server. It names ${siteLink(basename(workflowSource), workflowSource)}, the document with the statuses 200 to 204 in place of \`2XX\`: download both into one folder. In that folder, run them with Respect and your values; \`EMAIL_API_URL\` is the base URL, such as ${code(baseUrl)}:`,
      codeBlock("sh", workflows.map((one) => respectCommand(name, one)).join("\n")),
      "With `--verbose`, Respect shows each request and its response: what a condition that fails was compared with.",
      "## In the sandbox",
      `Start the ${siteLink("sandbox", "guides/sandbox")} at the time of the examples with \`npm run sandbox -- --start-at examples\`. With its base URL and the keys of a demo account, the commands above, those of curl and of Respect, work as they are:`,
      codeBlock("sh", sandboxVariables(workflows)),
      sandboxSteps[name],
      `Before you run them again, reset the sandbox: \`curl -X POST ${sandboxUrl}/sandbox/reset\`.`,
    ),
  }));
}

/** What a person or time does, by the name of a file, and how to do it in the sandbox. */
const sandboxSteps: Record<string, string> = {
  "double-opt-in": `While it waits for the confirmation, confirm in another terminal: \`curl ${sandboxUrl}/sandbox/confirm -d '{"email": "ada@readers.example", "list_id": 1}'\`.`,
  "rotate-key": `This old key works for three days. Before the second command, advance the clock: \`curl ${sandboxUrl}/sandbox/clock -d '{"advance": "P4D"}'\`.`,
};

/** Sets the variables of the commands to the base URL and the keys of the sandbox. */
function sandboxVariables(workflows: Workflow[]): string {
  const { full, replaced } = keysOfDemo();
  const samples = workflows.flatMap(inputsOf).map(([, sample]) => String(sample));
  const keys = new Set(samples.filter((one) => one.startsWith("EMAIL_")));
  const lines = [...keys].map((one) => `export ${one}=${one === "EMAIL_OLD_KEY" ? replaced : full}`);
  return [`export EMAIL_API_URL=${sandboxUrl}`, ...lines].join("\n");
}

function respectCommand(name: string, workflow: Workflow): string {
  const inputs = inputsOf(workflow).map(([input, sample]) => `--input ${input}=${sample}`);
  const given = ["api=EMAIL_API_URL", ...inputs].join(" ").replaceAll(/EMAIL_\w+/g, '"$$$&"');
  return `# ${workflow.summary}\nnpx @redocly/cli@2 respect ${name}.arazzo.yaml --workflow ${workflow.workflowId} --server ${given}`;
}

/** The inputs with their values in samples: the example, or the environment variable of a key. */
const inputsOf = ({ inputs }: Workflow): [name: string, sample: unknown, description: string][] =>
  Object.entries(inputs.properties).map(
    ([name, { description, examples = [`EMAIL_${inCapitals(name)}`] }]) => [name, examples[0], description],
  );

function stepsText(
  operations: ReadonlyMap<string, PlacedOperation>,
  workflow: Workflow,
  baseUrl: string,
): string {
  const { description, parameters = [], steps } = filled(workflow, valuesIn(workflow));
  return joined(
    description,
    ...steps.map((step, index) => {
      const placed = operations.get(step.operationId) as PlacedOperation;
      const { parameters: own = [], requestBody } = step;
      const request = { ...requestWith(placed, [...parameters, ...own]), body: requestBody?.payload };
      const samples = written(request, baseUrl).map((sample) => withVariables(sample, baseUrl, request.path));
      return joined(
        `### ${index + 1}. ${inWords(step.stepId)}`,
        step.description,
        box("panel request", sampleTabs(`${workflow.workflowId}-step${index + 1}`, samples)),
        bulletList([
          `Operation: ${siteLink(placed.operation.summary, operationPath(placed.id))}`,
          `Expect ${all(step.successCriteria.map(criterionText))}.`,
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

/** In the sample of curl, the base URL and what steps before keep are variables, as in the commands of Respect. */
function withVariables({ title, block }: Sample, baseUrl: string, path: string): Sample {
  const inShell = `"$EMAIL_API_URL${path.replaceAll(/(?<=\/)[A-Z_]+/g, "$$$&")}"`;
  return { title, block: title === "curl" ? block.replace(`${baseUrl}${path}`, () => inShell) : block };
}

/** `$inputs.from` with its sample, and `$steps.send.outputs.messageId` as `MESSAGE_ID`. */
function valuesIn(workflow: Workflow): Map<string, unknown> {
  const given = inputsOf(workflow).map(([name, sample]): [string, unknown] => [`$inputs.${name}`, sample]);
  const kept = workflow.steps.flatMap(({ stepId: id, outputs = {} }) =>
    Object.keys(outputs).map((name): [string, unknown] => [`$steps.${id}.outputs.${name}`, inCapitals(name)]),
  );
  return new Map([...given, ...kept]);
}

const inCapitals = (name: string): string => name.replaceAll(/[A-Z]/g, "_$&").toUpperCase();

/** A copy with the values of runtime expressions: of a whole text, or in braces within one. */
const filled = (workflow: Workflow, values: ReadonlyMap<string, unknown>): Workflow =>
  JSON.parse(JSON.stringify(workflow), (_, part) => {
    if (typeof part !== "string" || values.has(part)) return values.get(part) ?? part;
    return part.replaceAll(/\{(\$[^}]+)\}/g, (whole, expression) => String(values.get(expression) ?? whole));
  });

/** What a step expects, in words: "the status 202", "`status` to be `canceled`". */
function criterionText({ condition, context, type }: CriterionObject): string {
  if (type === "jsonpath") return selectedText(condition);
  if (type === "regex") return `${expressionText(context ?? "")} to match ${code(condition)}`;
  if (condition === success) return "a success";
  const [left = "", operator, right = ""] = condition.split(/ (==|!=) /);
  if (left === "$statusCode") return `the status ${right}`;
  return `${expressionText(left)} ${operator === "!=" ? "not " : ""}to be ${right.startsWith("$") ? expressionText(right) : code(right.replaceAll("'", ""))}`;
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
