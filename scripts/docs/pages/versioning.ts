import type { OpenApiDocument } from "../../document/types.ts";
import { bulletList, code, joined, siteLink } from "../text/markdown.ts";
import { smallPrint } from "../text/small-print.ts";
import type { Page } from "./page.ts";

export function versioningPage(document: OpenApiDocument): Page {
  const versioning = document["x-versioning"];
  if (versioning === undefined) throw new TypeError("the document has no x-versioning");
  return {
    path: "versioning",
    title: "Versioning",
    description: `Which changes of ${versioning.version} are possible at any time, which are not, and how a new version is introduced.`,
    text: joined(
      `Every path of this version starts with ${code(versioning.prefix)}.`,
      "## Additive changes",
      "These can be added at any time:",
      bulletList(versioning.added),
      "Clients must ignore everything that they do not know.",
      "## Changes that never happen within the version",
      bulletList(versioning.never),
      "## Breaking changes",
      versioning.breaking,
      "## Deprecation",
      versioning.deprecation,
      "## Changelog",
      `${versioning.changelog} See the ${siteLink("changelog", "changelog")}.`,
      "The history of the service:",
      versioning.history.map((line, index) => `${index + 1}. ${line}`).join("\n"),
      smallPrint(versioning),
    ),
  };
}
