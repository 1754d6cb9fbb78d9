import { operationsOf } from "../document/operations.ts";
import type { OpenApiDocument } from "../document/types.ts";
import type { Page } from "./pages/page.ts";
import type { Site } from "./site.ts";
import { operationPath, schemaPath } from "./text/page-paths.ts";

const link = /\[((?:`[^`\n]*`|[^[\]`\n])*)\]\(site:([^)#]*)(?:#[^)]*)?\)/g;
const tryButton = /<div class="panel-foot" data-try="(\w+)"><\/div>/g;

/**
 * Makes links to operations and objects that the published document lacks text: an overlay removed them, or an earlier
 * version does not have them yet.
 *
 * @param bundle the document that the guides are written for
 */
export function withoutRemovedPages(site: Site, document: OpenApiDocument, bundle: OpenApiDocument): Site {
  const published = new Set(pathsOf(document));
  const removed = new Set(pathsOf(bundle).filter((path) => !published.has(path)));
  if (removed.size === 0) return site;
  const changed = (page: Page): Page => ({
    ...page,
    text: page.text
      .replaceAll(link, (whole, label: string, path: string) => (removed.has(path) ? label : whole))
      .replaceAll(tryButton, (whole, id: string) => (removed.has(operationPath(id)) ? "" : whole)),
  });
  const { start, sections } = site;
  const written = [
    start,
    ...sections.filter(({ area }) => area !== "reference").flatMap(({ pages }) => pages),
  ];
  return {
    start: changed(start),
    sections: sections.map((section) => ({ ...section, pages: section.pages.map(changed) })),
    notes: [...removed].flatMap((path) => noteOn(path, written)),
  };
}

const pathsOf = (document: OpenApiDocument): string[] => [
  ...operationsOf(document).map(({ id }) => operationPath(id)),
  ...Object.entries(document.components.schemas ?? {}).flatMap(([name, schema]) =>
    schema.title === undefined ? [] : [schemaPath(name, schema)],
  ),
];

/** Guides still describe the operation, which the publisher should know. */
function noteOn(path: string, written: readonly Page[]): string[] {
  const linksTo = ({ text }: Page): boolean => [...text.matchAll(link)].some(([, , to]) => to === path);
  const users = written.filter(linksTo);
  const names = users.map((page) => page.path || "index").join(", ");
  return users.length === 0 ? [] : [`${path} is not in the document: links to it are text in ${names}`];
}
