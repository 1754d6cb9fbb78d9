import { pointerOf } from "../document/json-pointer.ts";
import type { SourcePlace } from "../document/locate.ts";
import { operationsOf } from "../document/operations.ts";
import type { OpenApiDocument } from "../document/types.ts";
import type { WorkflowFile } from "../document/workflows.ts";
import type { Finding } from "./finding.ts";

const custom = { tool: "custom", severity: "error" } as const;

/** What only the document and its workflows together show: every step has an operation, and if there are workflows, every operation is in one. */
export async function workflowFindings(
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
