import type { Lifecycle, OpenApiDocument, Transition } from "../../document/types.ts";
import { errorAddress } from "../addresses.ts";
import { code, joined, siteLink, table } from "../markdown.ts";
import { smallPrint } from "../marks.ts";
import type { Page } from "../page.ts";
import { diagram } from "./diagram.ts";

const titles: Record<string, string> = { message: "Message", membership: "Membership" };

/** The states of messages and of memberships, as drawings and as tables. */
export async function lifecyclesPage(document: OpenApiDocument): Promise<Page> {
  const parts = Object.entries(document["x-lifecycles"]).map(async ([name, lifecycle]) =>
    joined(
      `## ${titles[name] ?? name}`,
      lifecycle.description,
      smallPrint(lifecycle),
      await diagram(name, lifecycle),
      table(
        ["What happens", "From and to", "Effect"],
        lifecycle.transitions.map((row) => transitionRow(document, row)),
      ),
      unreached(lifecycle),
    ),
  );
  return {
    address: "lifecycles",
    title: "Lifecycles",
    description:
      "The states that a message and a membership go through, and what leads from one to the next.",
    text: joined(...(await Promise.all(parts))),
  };
}

const transitionRow = (document: OpenApiDocument, transition: Transition): string[] => [
  joined(transition.on, transition.when && `*${transition.when}*`).replaceAll(/\n+/g, "<br>"),
  `${transition.from === null ? "(new)" : transition.from.map(code).join(", ")} → ${target(document, transition)}`,
  joined(transition.effect, smallPrint(transition)).replaceAll(/\s*\n+/g, "<br>"),
];

function target(document: OpenApiDocument, { to, error, from }: Transition): string {
  const row = document["x-errors"].find(({ type }) => type !== null && type === error);
  if (row !== undefined) return `refused: ${siteLink(`${row.status} ${row.type}`, errorAddress(row))}`;
  if (to !== null) return code(to);
  return from === null ? "(open)" : "(as it was)";
}

const unreached = ({ unspecified = [] }: Lifecycle): string =>
  unspecified.length === 0
    ? ""
    : `What leads to ${unspecified.map(code).join(", ")} and away from there is not specified.`;
