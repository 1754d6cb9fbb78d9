import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { ErrorRow, OpenApiDocument, Schema } from "../../document/types.ts";
import { errorAddress } from "../addresses.ts";
import { code, joined, operationLinks, siteLink, table } from "../markdown.ts";
import { smallPrint } from "../marks.ts";
import type { Page } from "../page.ts";
import { errorWords } from "./error-words.ts";

/** The error catalogue: one entry for each status and type, with cause, remedy, and whether to repeat. */
export function errorsPage(document: OpenApiDocument): Page {
  const rows = document["x-errors"];
  const type = dereference<Schema>(document, { $ref: "#/components/schemas/ErrorType" });
  return {
    address: "errors",
    title: "Errors",
    description:
      "Every error by status and type: what causes it, what to do, and whether to send the request again.",
    text: joined(
      `All errors have one shape, described under ${siteLink("Error", "objects/error")}. Of its ${code("type")} the contract says:`,
      `> ${type.description}`,
      `<div class="errors">`,
      table(["Error", "Repeat?", "When"], rows.map(row)),
      "</div>",
      ...rows.map((entry) => errorText(document, entry)),
    ),
  };
}

/** `409 send_rejected`; `404 not_found (address)` where the id tells two of the same type apart. */
function nameOf({ id }: ErrorRow): string {
  const [status, type, apart] = id.split(".");
  return [status, type, apart && `(${apart})`].filter(Boolean).join(" ");
}

const row = (entry: ErrorRow): string[] => [
  siteLink(nameOf(entry), errorAddress(entry)),
  errorWords[entry.retry].cell,
  entry.when,
];

function errorText(document: OpenApiDocument, entry: ErrorRow): string {
  const everywhere = entry.operations.length === operationsOf(document).length;
  return joined(
    `## ${nameOf(entry)}`,
    `**Cause.** ${entry.when}`,
    `**Remedy.** ${entry.remedy}`,
    `**Repeat?** ${errorWords[entry.retry].long}`,
    entry.operations.length === 0
      ? "It is answered before any operation is reached."
      : `${everywhere ? "**Every operation:**" : "**Operations:**"} ${operationLinks(entry.operations)}`,
    smallPrint(entry),
  );
}
