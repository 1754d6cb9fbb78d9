import { pointerOf } from "../document/json-pointer.ts";
import type { SourcePlace } from "../document/locate.ts";
import { operationsOf } from "../document/operations.ts";
import type { OpenApiDocument } from "../document/types.ts";
import type { WorkflowFile } from "../document/workflows.ts";
import type { Finding } from "./finding.ts";

/** The rule `operation-in-workflow`: if there are workflows, every operation is in one. */
export async function workflowFindings(
  document: OpenApiDocument,
  files: readonly WorkflowFile[],
  locate: (pointer: string) => Promise<SourcePlace>,
): Promise<Finding[]> {
  const steps = files.flatMap(({ workflows }) => workflows.flatMap((one) => one.steps));
  const used = new Set(steps.map(({ operationId }) => operationId));
  const unused = files.length === 0 ? [] : operationsOf(document).filter(({ id }) => !used.has(id));
  return Promise.all(
    unused.map(async ({ id, location }): Promise<Finding> => {
      const pointer = pointerOf([...location, "operationId"]);
      const message = `Add a step with ${id} to one of the workflows in openapi/workflows.`;
      const found = { tool: "custom", severity: "error", rule: "operation-in-workflow", message } as const;
      return { ...found, ...(await locate(pointer)), pointer };
    }),
  );
}
