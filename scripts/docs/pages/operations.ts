import { operationsOf } from "../../document/operations.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { code, joined, siteLink, table } from "../text/markdown.ts";
import { operationPath } from "../text/page-paths.ts";
import type { Page } from "./page.ts";

/** A list of all operations, by their tags. */
export function operationsPage(document: OpenApiDocument): Page {
  const operations = operationsOf(document);
  const lists = document.tags.map(({ name }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ id, method, path, operation }) => [
        siteLink(operation.summary, operationPath(id)),
        code(`${method.toUpperCase()} ${path}`),
      ]);
    return rows.length === 0 ? "" : joined(`## ${name}`, table(["Operation", "Request"], rows));
  });
  return {
    path: "operations",
    title: "Operations",
    label: "All operations",
    description: "Every operation with its method and path.",
    text: joined(
      "Every operation with its method and path.",
      // A search for a word should find the page of the operation.
      `<div class="even" data-pagefind-ignore>`,
      ...lists,
      "</div>",
    ),
  };
}
