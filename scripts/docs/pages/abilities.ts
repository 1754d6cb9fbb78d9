import { operationsOf, type PlacedOperation } from "../../document/operations.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { code, joined, siteLink, table } from "../text/markdown.ts";
import { operationPath } from "../text/page-paths.ts";
import { smallPrint } from "../text/small-print.ts";
import type { Page } from "./page.ts";

/** The abilities that an operation requires of a key. */
export const abilitiesOf = ({ operation }: PlacedOperation): string[] =>
  operation.security.flatMap((scheme) => Object.values(scheme).flat());

/** Lets the search find the page by the words of other APIs. */
const synonyms = "Other APIs call an ability a permission or a scope.";

export function abilitiesPage(document: OpenApiDocument): Page {
  const operations = operationsOf(document);
  const sections = Object.entries(document["x-abilities"]).map(([ability, row]) => {
    const rows = operations
      .filter((operation) => abilitiesOf(operation).includes(ability))
      .map(({ id, operation }) => [siteLink(code(id), operationPath(id)), operation.summary]);
    return joined(
      `## ${code(ability)}`,
      row.description,
      smallPrint(row),
      rows.length === 0 ? "" : table(["Operation", "Description"], rows),
    );
  });
  const scheme = Object.values(document.components.securitySchemes ?? {})[0] ?? {};
  return {
    path: "abilities",
    title: "Keys and abilities",
    description: "How requests are authenticated, and which ability each operation requires of the API key.",
    text: joined(String(scheme.description ?? ""), smallPrint(scheme), synonyms, ...sections),
  };
}
