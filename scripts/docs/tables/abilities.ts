import { operationsOf, type PlacedOperation } from "../../document/operations.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { operationAddress } from "../addresses.ts";
import { code, joined, siteLink, table } from "../markdown.ts";
import { smallPrint } from "../marks.ts";
import type { Page } from "../page.ts";

/** The abilities that an operation asks of a key; none where the document names none. */
export const abilitiesOf = ({ operation }: PlacedOperation): string[] =>
  operation.security.flatMap((scheme) => Object.values(scheme).flat());

/** What a key may do, by ability. */
export function abilitiesPage(document: OpenApiDocument): Page {
  const operations = operationsOf(document);
  const sections = Object.entries(document["x-abilities"]).map(([ability, row]) => {
    const opened = operations.filter((operation) => abilitiesOf(operation).includes(ability));
    const rows = opened.map(({ id, operation }) => [
      siteLink(code(id), operationAddress(id)),
      operation.summary,
    ]);
    return joined(
      `## ${code(ability)}`,
      row.description,
      smallPrint(row),
      rows.length === 0 ? "" : table(["Operation", "What it does"], rows),
    );
  });
  const scheme = Object.values(document.components.securitySchemes ?? {})[0] ?? {};
  return {
    address: "abilities",
    title: "Keys and abilities",
    description: "How a call proves who makes it, and which ability each operation asks of a key.",
    text: joined(String(scheme.description ?? ""), smallPrint(scheme), ...sections),
  };
}
