import { operationsOf } from "../../document/operations.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { box } from "../text/layout.ts";
import { bulletList, code, joined, siteLink } from "../text/markdown.ts";
import { operationPath } from "../text/page-paths.ts";
import type { Page } from "./page.ts";

/** The written start page with the name of the API and a list of the operations. */
export function startPage(document: OpenApiDocument, written: Page): Page {
  const groups = document.tags.map(({ name }) => {
    const lines = operationsOf(document)
      .filter(({ operation }) => operation.tags.includes(name))
      .map(
        ({ id, method, path, operation: { summary } }) =>
          `<span class="method ${method}">${method.toUpperCase()}</span> ${siteLink(summary, operationPath(id))} ${code(path)}`,
      );
    return box("group", `### ${name}`, bulletList(lines));
  });
  return {
    ...written,
    title: document.info.title,
    text: joined(written.text, "## Operations", box("operations", ...groups)),
  };
}
