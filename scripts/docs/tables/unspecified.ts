import type { OpenApiDocument } from "../../document/types.ts";
import { anchor, entry, joined, operationLinks } from "../markdown.ts";
import type { Page } from "../page.ts";

/** What the service does not say: nothing in the contract gives a value to it, and no code should rely on one. */
export function unspecifiedPage(document: OpenApiDocument): Page {
  const rows = document["x-unspecified"].map(({ id, text, operations }) =>
    entry(
      `${anchor(id)}**${id}** ${text}`,
      operations.length === 0 ? "" : `Concerns ${operationLinks(operations)}.`,
    ),
  );
  return {
    address: "unspecified",
    title: "What is not specified",
    description: "The places where the service promises nothing, so that nobody builds on them by mistake.",
    text: joined(
      `The service leaves ${rows.length} things open. Whatever a server does there is right, and it may change; the contract gives no value to any of them.`,
      rows.join("\n"),
    ),
  };
}
