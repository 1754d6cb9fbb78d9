import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { ErrorRow, OpenApiDocument, Schema } from "../../document/types.ts";
import { code, joined, operationLinks, siteLink, table } from "../text/markdown.ts";
import { errorPath } from "../text/page-paths.ts";
import { smallPrint } from "../text/small-print.ts";
import type { Page } from "./page.ts";

/** Every error by status and type: cause, resolution, and whether to retry. */
export function errorsPage(document: OpenApiDocument): Page {
  const rows = document["x-errors"];
  const type = dereference<Schema>(document, { $ref: "#/components/schemas/ErrorType" });
  return {
    path: "errors",
    title: "Errors",
    description:
      "Every error by status and type: its cause, its resolution, and whether to retry the request.",
    text: joined(
      `The body of every error response is an ${siteLink("Error response", "objects/error-response")}. Its ${code("type")}:`,
      `> ${type.description}`,
      `<div class="errors">`,
      table(["Error", "Retry", "Cause"], rows.map(tableRow)),
      "</div>",
      ...rows.map((row) => errorText(document, row)),
    ),
  };
}

/** `409 send_rejected`; `404 not_found (path)` if the id distinguishes two errors of the same type. */
function nameOf({ id }: ErrorRow): string {
  const [status, type, distinction] = id.split(".");
  return [status, type, distinction && `(${distinction})`].filter(Boolean).join(" ");
}

const retry: Record<ErrorRow["retry"], { short: string; long: string }> = {
  never: { short: "no", long: "No. The same request fails again." },
  after: {
    short: "after `Retry-After`",
    long: "Yes, after the number of seconds in the `Retry-After` header.",
  },
  backoff: { short: "with backoff", long: "Yes, with backoff: wait longer before each attempt." },
};

const tableRow = (row: ErrorRow): string[] => [
  siteLink(nameOf(row), errorPath(row)),
  retry[row.retry].short,
  row.when,
];

function errorText(document: OpenApiDocument, row: ErrorRow): string {
  const isGeneral = row.operations.length === operationsOf(document).length;
  return joined(
    `## ${nameOf(row)}`,
    `**Cause.** ${row.when}`,
    `**Resolution.** ${row.resolution}`,
    `**Retry.** ${retry[row.retry].long}`,
    row.namesFields ? `**Fields.** ${code("error.fields")} has an entry for each invalid field.` : undefined,
    row.operations.length === 0
      ? `A ${siteLink("gateway response", "making-requests#gateway-responses")}: the request reaches no operation.`
      : `**${isGeneral ? "All operations" : "Operations"}.** ${operationLinks(row.operations)}`,
    smallPrint(row),
  );
}
