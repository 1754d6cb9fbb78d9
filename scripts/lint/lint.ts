import { dirname, join } from "node:path";
import { styleText } from "node:util";
import {
  getLineColLocation,
  lint as lintFile,
  lintFromString,
  loadConfig,
  type NormalizedProblem,
} from "@redocly/openapi-core";
import { printJson, printLine } from "../../lib/print.ts";
import { bundle } from "../bundle/bundle.ts";
import { displayPath, generatedFolder, openapiFolder, rootDocument } from "../common/paths.ts";
import { pathOf, pointerOf } from "../document/json-pointer.ts";
import { locator, type SourcePlace } from "../document/locate.ts";
import { operationsOf } from "../document/operations.ts";
import { readBundle } from "../document/read-bundle.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { readWorkflows, type WorkflowFile } from "../document/workflows.ts";
import { byPlace, type Finding, findingsText } from "./finding.ts";

/**
 * Lints the document: Redocly checks the sources, and the workflows beside them; Spectral, with OWASP's rules and the custom rules, checks the bundle.
 * @param source the root file of the document, absolute
 * @returns the findings by file and line
 * @throws UserError with file and line if the document cannot be bundled
 */
export async function lint(source: string = rootDocument): Promise<Finding[]> {
  const document = await bundle(source);
  const workflows = readWorkflows(join(dirname(source), "workflows"));
  return [
    ...(await redoclyFindings(source)),
    ...(await Promise.all(workflows.map(({ file }) => redoclyFindings(file)))).flat(),
    ...(await lintBundle(document, source)),
    ...(await workflowFindings(document, workflows, locator(source))),
  ].sort(byPlace);
}

const custom = { tool: "custom", severity: "error" } as const;

/** What only the document and its workflows together show: every step has an operation, and if there are workflows, every operation is in one. */
async function workflowFindings(
  document: OpenApiDocument,
  files: readonly WorkflowFile[],
  locate: (pointer: string) => Promise<SourcePlace>,
): Promise<Finding[]> {
  const operations = operationsOf(document);
  const ids = new Set(operations.map(({ id }) => id));
  const used = new Set<string>();
  const findings: Finding[] = [];
  for (const { source, workflows } of files)
    for (const [index, { steps }] of workflows.entries())
      for (const [step, { operationId }] of steps.entries()) {
        used.add(operationId);
        if (ids.has(operationId)) continue;
        const path = ["workflows", index, "steps", step, "operationId"];
        const place = { file: source.name, ...source.positionOf(path), pointer: pointerOf(path) };
        const message = `Change the operationId ${operationId} to one of the document.`;
        findings.push({ ...custom, ...place, rule: "workflow-operation-exists", message });
      }
  for (const { id, location } of files.length === 0 ? [] : operations) {
    if (used.has(id)) continue;
    const pointer = pointerOf([...location, "operationId"]);
    const message = `Add a step with ${id} to one of the workflows in openapi/workflows.`;
    findings.push({ ...custom, ...(await locate(pointer)), pointer, rule: "operation-in-workflow", message });
  }
  return findings;
}

/**
 * Lints a bundle in memory with Spectral: its rules, OWASP's and the custom rules.
 * @param source the root file of the bundle, absolute, for positions
 */
async function lintBundle(document: OpenApiDocument, source: string = rootDocument): Promise<Finding[]> {
  const { ruleset } = await import("../../openapi/lint/ruleset.ts");
  const { runSpectral } = await import("../../openapi/lint/run.ts");
  const locate = locator(source);
  const found = await runSpectral(ruleset, document);
  return Promise.all(
    found.map(async (one) => ({ tool: "spectral" as const, ...one, ...(await locate(one.pointer)) })),
  );
}

/** Lints the document that a site with this configuration describes. What its overlay changed has the position of the action. */
async function lintPublished(config: string): Promise<Finding[]> {
  const [{ loadSiteConfig }, { publishedDocument, overlayPlaces }] = await Promise.all([
    import("../docs/config/site-config.ts"),
    import("../docs/config/document.ts"),
  ]);
  const site = loadSiteConfig(config);
  // A site need not have a contact.
  const [contract, document] = await Promise.all([readBundle(), publishedDocument({ contact: {}, ...site })]);
  const found = [...(await redoclyFindingsSince(contract, document)), ...(await lintBundle(document))];
  if (site.overlay === undefined) return found.sort(byPlace);
  // The contract itself has no findings: these come from the overlay.
  const { file, positionOf } = await overlayPlaces(contract, site.overlay);
  return found.map((finding) => ({ ...finding, file, ...positionOf(pathOf(finding.pointer)) })).sort(byPlace);
}

/** The findings of Redocly that a document has and an earlier one has not: a bundle has some that its sources do not have. */
async function redoclyFindingsSince(before: OpenApiDocument, document: OpenApiDocument): Promise<Finding[]> {
  const findingsOf = (one: OpenApiDocument): Promise<Finding[]> =>
    redoclyFindings(join(generatedFolder, "openapi.json"), JSON.stringify(one, null, 2));
  const [known, found] = await Promise.all([findingsOf(before), findingsOf(document)]);
  const nameOf = ({ rule, pointer }: Finding): string => `${rule} ${pointer}`;
  const names = new Set(known.map(nameOf));
  return found.filter((finding) => !names.has(nameOf(finding)));
}

export interface LintOptions {
  format: "text" | "json";
  /** The configuration of a site, whose document is linted. */
  config?: string;
}

/** The `lint` command: prints the findings and returns the exit code, 1 if there are any. */
export async function runLint({ format, config }: LintOptions): Promise<number> {
  const began = performance.now();
  const findings = config === undefined ? await lint() : await lintPublished(config);
  if (format === "json") printJson(JSON.stringify(findings, null, 2));
  else {
    printLine(findingsText(findings));
    const { customRules } = await import("../../openapi/lint/custom-rules.ts");
    const tools = `Redocly on the sources; Spectral, OWASP and ${Object.keys(customRules).length} custom rules on the bundle`;
    printLine(styleText("dim", `${tools}, ${((performance.now() - began) / 1000).toFixed(1)} s`));
  }
  return findings.length === 0 ? 0 : 1;
}

/**
 * Lints the source files with Redocly, with the configuration of this project.
 * @param source the root file of the document, absolute
 * @param text the document, if it is not what the file contains
 */
async function redoclyFindings(source: string, text?: string): Promise<Finding[]> {
  const config = await loadConfig({ configPath: join(openapiFolder, "lint/redocly.yaml") });
  const problems =
    text === undefined
      ? await lintFile({ ref: source, config })
      : await lintFromString({ source: text, absoluteRef: source, config });
  return problems.map(finding);
}

function finding({ ruleId, severity, message, location: [at] }: NormalizedProblem): Finding {
  const start = at && getLineColLocation(at).start;
  return {
    tool: "redocly",
    rule: ruleId,
    severity,
    message,
    file: at ? displayPath(at.source.absoluteRef) : "",
    line: start?.line ?? 1,
    column: start?.col ?? 1,
    pointer: at?.pointer ?? "#/",
  };
}
