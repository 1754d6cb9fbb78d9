import { operationsOf } from "../document/operations.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { type SiteConfig, siteConfig } from "./config/site-config.ts";
import { extraPages } from "./extra-pages.ts";
import { readGuides } from "./guides.ts";
import { abilitiesPage } from "./pages/abilities.ts";
import { errorsPage } from "./pages/errors.ts";
import { idempotencyPage } from "./pages/idempotency.ts";
import { lifecyclesPage } from "./pages/lifecycles.ts";
import { limitsPage } from "./pages/limits.ts";
import { makingRequestsPage } from "./pages/making-requests.ts";
import { objectPages } from "./pages/objects.ts";
import { operationPage } from "./pages/operation.ts";
import { operationsPage } from "./pages/operations.ts";
import type { Page, Section } from "./pages/page.ts";
import { requirementsPage } from "./pages/requirements.ts";
import { samplesOf, withSamples } from "./pages/samples.ts";
import { simulatorPage } from "./pages/simulator.ts";
import { startPage } from "./pages/start.ts";
import { readTrace } from "./pages/trace.ts";
import { unspecifiedPage } from "./pages/unspecified.ts";
import { versioningPage } from "./pages/versioning.ts";

/** The start page, and all other pages by section in the order of the sidebar. */
export interface Site {
  start: Page;
  sections: Section[];
  /** What a publisher should know of the pages. */
  notes?: string[];
}

export const pagesOf = ({ start, sections }: Site): Page[] => [
  start,
  ...sections.flatMap(({ pages }) => pages),
];

/**
 * Composes every page from the bundle, the trace of requirements, the guides and the samples.
 *
 * @throws UserError for a missing source, or a part of the document that no page can show
 */
export async function composeSite(
  document: OpenApiDocument,
  config: SiteConfig = siteConfig(),
): Promise<Site> {
  const operations = operationsOf(document);
  const [requirements, { start, guides: written, builders, changelog, notCovered }] = await Promise.all([
    readTrace(),
    readGuides(),
  ]);
  const guides = written.map((page) => withSamples(document, page));
  const taken = [...guides, ...builders].map(({ path }) => path);
  const extras = await extraPages(config, taken);
  const sources = { document, requirements, samples: samplesOf(document), guides };
  const operationSections = document.tags.map(
    ({ name }): Section => ({
      title: name,
      area: "reference",
      pages: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map((placed) => operationPage(sources, placed)),
    }),
  );
  const reference = [
    operationsPage(document),
    makingRequestsPage(document),
    abilitiesPage(document),
    errorsPage(document),
    limitsPage(document),
    idempotencyPage(document),
    await lifecyclesPage(document),
    simulatorPage(document),
    versioningPage(document),
    changelog,
    unspecifiedPage(document),
    notCovered,
    requirementsPage(requirements),
  ];
  return {
    start: startPage(document, start),
    sections: [
      { title: "Guides", area: "guides", collapsed: true, pages: [...guides, ...extras] },
      { title: "Server builders", area: "builders", collapsed: true, pages: builders },
      ...operationSections,
      { title: "Reference", area: "reference", pages: reference },
      { title: "Objects", area: "reference", collapsed: true, pages: objectPages(document) },
    ],
  };
}
