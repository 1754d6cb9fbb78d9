import type { ErrorRow, OpenApiDocument } from "../../document.ts";
import { errorAddress } from "../addresses.ts";
import { joined, operationLinks, siteLink, table } from "../markdown.ts";
import { smallPrint } from "../marks.ts";
import type { Page } from "../page.ts";
import { errorWords } from "./error-words.ts";

/** The error catalogue: one entry for each status and type, with cause, remedy, and whether to repeat. */
export function errorsPage(document: OpenApiDocument): Page {
  const rows = document["x-errors"];
  return {
    address: "errors",
    title: "Errors",
    description:
      "Every error by status and type: what causes it, what to do, and whether to send the request again.",
    text: joined(
      `All errors have one shape, described under ${siteLink("Error", "objects/error")}. Branch on the status and on \`error.type\`, never on the message. A type that you do not know is a failure of the kind that its status tells.`,
      table(["Error", "Repeat?", "When"], rows.map(row)),
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
  { never: "no", after: "after `Retry-After`", backoff: "with longer waits" }[entry.retry],
  entry.when,
];

function errorText(document: OpenApiDocument, entry: ErrorRow): string {
  const all = Object.values(document.paths).flatMap((item) => Object.values(item)).length;
  return joined(
    `## ${nameOf(entry)}`,
    `**Cause.** ${entry.when}`,
    `**Remedy.** ${entry.remedy}`,
    `**Repeat?** ${errorWords[entry.retry].long}`,
    entry.operations.length === 0
      ? "It is answered before any operation is reached."
      : `${entry.operations.length === all ? "**Every operation:**" : "**Operations:**"} ${operationLinks(entry.operations)}`,
    smallPrint(entry),
  );
}
