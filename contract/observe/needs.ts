import { requirements as documented } from "../../generated/requirements.ts";
import type { Needs, ReportExchange } from "../../generated/schema-types.ts";
import { jsonOf } from "../../lib/objects.ts";
import { usageError } from "../../lib/user-error.ts";
import { document, operationsOf, type ResponseObject, resolve } from "../document.ts";
import { type Exchange, operationAt, plainPath } from "../exchange.ts";
import { hint, needsOf } from "../report/needs-file.ts";
import type { ContractResult } from "../report/result.ts";
import { Coverage } from "./coverage.ts";
import { placesOfResponse } from "./places.ts";

/**
 * Adds to a report which needs it shows to be met; they decide its exit code.
 * @throws UserError with exit code 2 if the document does not have one of them
 */
export function withNeeds(result: ContractResult, needs: Needs, file: string): ContractResult {
  const { notImplemented = [], requirements } = result;
  const failed = requirements.filter(({ verdict }) => verdict !== "pass" && verdict !== "not verified");
  const absent = new Set([...notImplemented, ...failed.map(({ id }) => id)]);
  const shown = new Set(labelsOf(shownBy(result)));
  // After the kind stands the requirement or the operation.
  const isMissing = (label: string): boolean => absent.has(label.split(" ")[1] ?? "");
  const all = labelsOf(needs);
  const unknown = all.filter((label) => !known.has(label));
  if (unknown.length > 0)
    throw usageError(`the document does not have these entries of ${file}: ${unknown.join(", ")}`, hint);
  const missing = all.filter(isMissing);
  const notShown = all.filter((label) => !shown.has(label) && !isMissing(label));
  const met = all.length - missing.length - notShown.length;
  const exitCode = missing.length > 0 ? 1 : notShown.length > 0 ? 3 : 0;
  return { ...result, needs: { file, met, missing, notShown }, exitCode };
}

/** Each need with its kind: `statuses: sendEmail 202`. */
const labelsOf = ({ $schema: _, format: __, tool: ___, ...kinds }: Partial<Needs>): string[] =>
  Object.entries(kinds).flatMap(([kind, labels]) => labels.map((label) => `${kind}: ${label}`));

/** All that the document has. */
const known = new Set(
  labelsOf({
    ...Object.fromEntries(new Coverage().result([]).kinds.map(({ kind, missing }) => [kind, missing])),
    requirements: Object.keys(documented),
    responseProperties: operationsOf(document).flatMap(({ id, operation }) =>
      Object.values(operation.responses).flatMap((response) => {
        const { schema = {} } =
          resolve<ResponseObject>(document, response).content?.["application/json"] ?? {};
        return placesOfResponse(schema).map(({ field }) => `${id} ${field}`);
      }),
    ),
  }),
);

/** What the test cases that pass show. */
function shownBy(result: ContractResult): Needs {
  const coverage = new Coverage();
  const passed = result.checks.flatMap(({ cases }) => cases.filter(({ verdict }) => verdict === "pass"));
  for (const exchange of passed.flatMap(({ exchanges }) => exchanges)) coverage.add(coveredIn(exchange));
  return needsOf({ ...result, coverage: coverage.result([]) });
}

/** What an exchange of a report shows. A body that was cut is no JSON. */
function coveredIn({ method, path, request, response: { status, body } }: ReportExchange): Exchange {
  const operation = operationAt(method, plainPath(path));
  const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    request: { method, path, body: jsonOf(request.body ?? ""), ...(operation && { operation }) },
    sent: { headers: Object.fromEntries(headers), text: undefined },
    status,
    json: jsonOf(body),
  } as Exchange;
}
