import type { OpenApiDocument } from "../../document/types.ts";
import { anchor, entry, joined, operationLinks } from "../text/markdown.ts";
import type { Page } from "./page.ts";

export function unspecifiedPage(document: OpenApiDocument): Page {
  const rows = document["x-unspecified"].map(({ id, text, operations }) =>
    entry(
      `${anchor(id)}**${id}** ${text}`,
      operations.length === 0 ? "" : `Operations: ${operationLinks(operations)}`,
    ),
  );
  return {
    path: "unspecified",
    title: "Unspecified behavior",
    description: "Behavior that the service does not specify, so that no client depends on it.",
    text: joined(
      `The service does not specify the following ${rows.length} points. Servers may differ in them, and the service may change them at any time. Do not depend on any of them.`,
      rows.join("\n"),
    ),
  };
}
