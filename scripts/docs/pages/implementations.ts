import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readMatrix } from "../../../contract/report/matrix.ts";
import { matrixText } from "../../../contract/report/matrix-markdown.ts";
import { reportsFolder } from "../../common/paths.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { type Page, requirementPath } from "../page.ts";
import { box, bulletList, joined, siteLink } from "../text/markdown.ts";

/** What the reports in `reports/` say, and the levels that they claim. */
export async function implementationsPage(document: OpenApiDocument): Promise<Page> {
  const files = (await readdir(reportsFolder)).filter((file) => file.endsWith(".json")).sort();
  const groups = readMatrix(files.map((file) => join(reportsFolder, file)));
  const levels = (document["x-levels"] ?? []).map(({ title, text, clients = "" }) =>
    `**${title}**: ${text} ${clients}`.trimEnd(),
  );
  const guide = siteLink("Publish a report", "guides/publishing-a-report");
  return {
    path: "implementations",
    source: "openapi/requirements/levels.yaml",
    title: "Implementations",
    description: "Servers and clients with published reports: their levels, verdicts and exceptions.",
    text: joined(
      `What published reports say about servers and clients, by topic and requirement. To add yours: ${guide}.`,
      bulletList(levels),
      box(
        "wide verdicts",
        matrixText(groups, (id) => siteLink(id, requirementPath(id))),
      ),
    ),
  };
}
