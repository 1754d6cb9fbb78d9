import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { clientRequirements } from "../../../contract/client-suite/run-client.ts";
import { matrixText, readMatrix } from "../../../contract/report/matrix.ts";
import { capitalized, count } from "../../../lib/text.ts";
import { generatedFolder, reportsFolder } from "../../common/paths.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import type { TraceRow } from "../../trace/trace.ts";
import { type Page, requirementPath } from "../page.ts";
import {
  anchor,
  box,
  bulletList,
  collapsed,
  entry,
  joined,
  operationLinks,
  siteLink,
  siteOnly,
} from "../text/markdown.ts";

export function requirementsPage(requirements: TraceRow[]): Page {
  const verified = requirements.filter(({ checks }) => checks.length > 0);
  return {
    path: "requirements",
    source: "openapi/requirements/general.yaml",
    title: "Requirements",
    description: "Every requirement of the service with its permanent id, and the checks that verify it.",
    text: joined(
      `The document has ${requirements.length} requirements. The contract suite verifies ${verified.length} of them over HTTP; for the others the reason is given.`,
      "Each requirement has a kind: *shape* is the structure of requests and responses, *semantics* is what an operation does, *timing* depends on the clock, *client* is for clients to comply with, and *unobservable* cannot be seen through the API.",
      howToCheck("SEND-9"),
      // A search for a word should find the page that explains it first.
      `<div class="requirements" data-pagefind-weight="0.2">`,
      ...[...Map.groupBy(requirements, ({ topic }) => topic)].map(([topic, rows]) =>
        joined(`## ${capitalized(topic.replaceAll("-", " "))}`, rows.map(requirementEntry).join("\n")),
      ),
      "</div>",
    ),
  };
}

/** How a reader verifies one requirement: without a key and a configuration, the suite verifies almost nothing. */
const howToCheck = (id: string): string =>
  `To check one on your server, ${siteLink("give the suite a key and a configuration", "guides/testing-a-server#test-your-own-server")}, and run \`npx --no email-api-contract contract --grep ${id}\`.`;

function requirementEntry(requirement: TraceRow): string {
  const { id, text, kind, operations, excluded } = requirement;
  const titles = checkTitles(requirement);
  const summary = `${capitalized(kind)}, ${count(operations.length, "operation")}, ${count(titles.length, "check")}`;
  return entry(
    `${anchor(id)}**${id}** ${text}`,
    excluded === null ? "" : `No check: ${excluded}`,
    collapsed(summary, joined(operationLinks(operations), bulletList(titles)), ' class="fold"'),
  );
}

/** The requirements of an operation, collapsed; the search leads to the page of all requirements instead. */
export function operationRequirements(requirements: TraceRow[], operationId: string): string {
  const rows = requirements.filter(({ operations }) => operations.includes(operationId));
  if (rows.length === 0) return "";
  const entries = rows.map((row) => {
    const titles = checkTitles(row);
    const how = titles.length === 0 ? `No check: ${row.excluded ?? ""}` : `Checks: ${titles.join("; ")}.`;
    return entry(`${siteLink(row.id, requirementPath(row.id))} ${row.text}  \n*${how}*`);
  });
  const summary = `${count(rows.length, "requirement")} of this operation`;
  const list = collapsed(summary, entries.join("\n"), ' class="fold" data-pagefind-ignore');
  // With a check that the fewest operations share.
  const [specific] = rows
    .filter(({ checks }) => checks.length > 0)
    .toSorted((one, other) => one.operations.length - other.operations.length);
  return siteOnly(box("requirements-only", "## Requirements", specific && howToCheck(specific.id), list));
}

const checkTitles = ({ checks }: TraceRow): string[] => [...new Set(checks.map(({ title }) => title))];

/** The requirements of `generated/trace.json` with the checks that verify them. */
export async function readTrace(): Promise<TraceRow[]> {
  const text = await readFile(join(generatedFolder, "trace.json"), "utf8");
  return (JSON.parse(text) as { requirements: TraceRow[] }).requirements;
}

/** What the reports in `reports/` say, and the levels that they claim. */
export async function implementationsPage(document: OpenApiDocument): Promise<Page> {
  const names = (await readdir(reportsFolder)).filter((name) => name.endsWith(".json")).sort();
  const files = names.map((name) => join(reportsFolder, name));
  const groups = readMatrix(files, clientRequirements);
  const levels = (document["x-levels"] ?? []).map(({ title, text, clients = "" }) =>
    `**${title}**: ${text} ${clients}`.trimEnd(),
  );
  return {
    path: "implementations",
    source: "openapi/requirements/levels.yaml",
    title: "Implementations",
    description: "Servers and clients with published reports: their levels, verdicts and exceptions.",
    text: joined(
      `What published reports say about servers and clients, by topic and requirement. To add yours: ${siteLink("Publish a report", "guides/publishing-a-report")}.`,
      bulletList(levels),
      box(
        "wide verdicts",
        matrixText(groups, (id) => siteLink(id, requirementPath(id))),
      ),
    ),
  };
}
