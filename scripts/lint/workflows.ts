import { pointerOf } from "../document/json-pointer.ts";
import type { SourcePlace } from "../document/locate.ts";
import { operationsOf } from "../document/operations.ts";
import type { OpenApiDocument } from "../document/types.ts";
import type { WorkflowFile } from "../document/workflows.ts";
import type { Finding } from "./finding.ts";

const usual = { tool: "redocly", severity: "error" } as const;

/** What only the document and its workflows together show: every step has an operation, and every operation is in a workflow. */
export async function workflowFindings(
  document: OpenApiDocument,
  files: readonly WorkflowFile[],
  locate: (pointer: string) => Promise<SourcePlace>,
): Promise<Finding[]> {
  if (files.length === 0) return [];
  const operations = operationsOf(document);
  const ids = operations.map(({ id }) => id);
  const steps = files.flatMap(({ source, workflows }) =>
    workflows.flatMap(({ steps }, index) =>
      steps.map(({ operationId }, step) => {
        const path = ["workflows", index, "steps", step, "operationId"];
        return {
          operationId,
          place: { file: source.name, ...source.positionOf(path), pointer: pointerOf(path) },
        };
      }),
    ),
  );
  const unknown = steps
    .filter(({ operationId }) => !ids.includes(operationId))
    .map(({ operationId, place }): Finding => {
      const message = `Change the operationId ${operationId} to one of the document.`;
      return { ...usual, ...place, rule: "workflow-operation-exists", message };
    });
  const used = new Set(steps.map(({ operationId }) => operationId));
  const unused = operations.filter(({ id }) => !used.has(id));
  const missing = unused.map(async ({ id, location }): Promise<Finding> => {
    const pointer = pointerOf([...location, "operationId"]);
    const message = `Add a step with ${id} to one of the workflows in openapi/workflows.`;
    return { ...usual, ...(await locate(pointer)), pointer, rule: "operation-in-workflow", message };
  });
  return [...unknown, ...(await Promise.all(missing))];
}
