import type { Lifecycle, OpenApiDocument, Transition } from "../../document/types.ts";
import { capitalized, cellLines, code, joined, siteLink, table } from "../text/markdown.ts";
import { errorPath } from "../text/page-paths.ts";
import { smallPrint } from "../text/small-print.ts";
import { lifecycleDiagram } from "./lifecycle-diagram.ts";
import { recordTables, setBy } from "./lifecycle-records.ts";
import type { Page } from "./page.ts";

/** The states of messages and memberships, as diagrams and as tables. */
export async function lifecyclesPage(document: OpenApiDocument): Promise<Page> {
  const parts = Object.entries(document["x-lifecycles"]).map(async ([name, lifecycle]) =>
    joined(
      `## ${capitalized(name)}`,
      lifecycle.description,
      smallPrint(lifecycle),
      await lifecycleDiagram(name, lifecycle),
      table(
        ["Event", "Transition", "Effect"],
        lifecycle.transitions.map((transition) => transitionRow(document, lifecycle, transition)),
      ),
      recordTables(document, lifecycle),
    ),
  );
  return {
    path: "lifecycles",
    title: "Lifecycles",
    description: "The states of a message and of a membership, and the events that change them.",
    text: joined(...(await Promise.all(parts))),
  };
}

const transitionRow = (document: OpenApiDocument, lifecycle: Lifecycle, transition: Transition): string[] => [
  cellLines(transition.on, transition.when && `*${transition.when}*`),
  `${transition.from === null ? "(new)" : transition.from.map(code).join(", ")} → ${target(document, transition)}`,
  cellLines(setBy(lifecycle, transition), transition.effect, smallPrint(transition)),
];

function target(document: OpenApiDocument, transition: Transition): string {
  const { to, error, "x-leaves-unspecified": unspecified } = transition;
  const row = document["x-errors"].find(({ type }) => type !== null && type === error);
  if (row !== undefined) return `error ${siteLink(`${row.status} ${row.type}`, errorPath(row))}`;
  if (to !== null) return code(to);
  return unspecified === undefined ? "(unchanged)" : "(unspecified)";
}
