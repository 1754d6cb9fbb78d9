import type { OpenApiDocument } from "../../document/types.ts";
import { code, joined, siteLink } from "../markdown.ts";
import { smallPrint } from "../marks.ts";
import type { Page } from "../page.ts";

/** What may change within a version of the API and what never does. */
export function versioningPage(document: OpenApiDocument): Page {
  const versioning = document["x-versioning"];
  if (versioning === undefined) throw new TypeError("the document says nothing of versions");
  const list = (lines: string[]): string => lines.map((line) => `- ${line}`).join("\n");
  return {
    address: "versioning",
    title: "Versioning",
    description: `What may be added to ${versioning.version} at any time, what never changes in it, and how a new version comes.`,
    text: joined(
      `Every address of this version begins with ${code(versioning.prefix)}.`,
      "## What may be added at any time",
      list(versioning.added),
      "Code that calls the API passes over whatever it does not know.",
      "## What never happens within the version",
      list(versioning.never),
      "## Breaking changes",
      versioning.breaking,
      "## Deprecation",
      versioning.deprecation,
      "## Changelog",
      `${versioning.changelog} See the ${siteLink("changelog", "changelog")}.`,
      "What came to the service, from the first day on:",
      versioning.history.map((line, index) => `${index + 1}. ${line}`).join("\n"),
      smallPrint(versioning),
    ),
  };
}
