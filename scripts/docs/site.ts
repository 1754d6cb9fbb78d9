import { operationsOf } from "../document/operations.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { callingPage } from "./calling.ts";
import { readGuides } from "./guides.ts";
import { checkShown } from "./known.ts";
import { objectPages } from "./objects.ts";
import { operationPage } from "./operation.ts";
import type { Page, Section } from "./page.ts";
import { readSamples } from "./samples.ts";
import { abilitiesPage } from "./tables/abilities.ts";
import { errorsPage } from "./tables/errors.ts";
import { idempotencyPage } from "./tables/idempotency.ts";
import { lifecyclesPage } from "./tables/lifecycles.ts";
import { limitsPage } from "./tables/limits.ts";
import { requirementsPage } from "./tables/requirements.ts";
import { simulatorPage } from "./tables/simulator.ts";
import { unspecifiedPage } from "./tables/unspecified.ts";
import { versioningPage } from "./tables/versioning.ts";
import { readTrace } from "./trace.ts";

/** The whole site: the first page, and all others by section, in the order in which they are listed. */
export interface Site {
  first: Page;
  sections: Section[];
}

/** Every page of a site. */
export const pagesOf = ({ first, sections }: Site): Page[] => [
  first,
  ...sections.flatMap(({ pages }) => pages),
];

/**
 * Everything that the reference says, from the bundle, the table of requirements, the guides and the samples.
 *
 * @throws Failure when a source is missing, or has something that the reference has no words for
 */
export async function composeSite(document: OpenApiDocument): Promise<Site> {
  checkShown(document);
  const operations = operationsOf(document);
  const [trace, samples, written] = await Promise.all([
    readTrace(),
    readSamples(operations.map(({ id }) => id)),
    readGuides(),
  ]);
  const sources = { document, trace, samples, guides: written.guides };
  return {
    first: written.first,
    sections: [
      { title: "Guides", pages: written.guides },
      ...document.tags.map(({ name }) => ({
        title: name,
        pages: operations
          .filter(({ operation }) => operation.tags.includes(name))
          .map((placed) => operationPage(sources, placed)),
      })),
      {
        title: "Rules",
        pages: [
          callingPage(document),
          abilitiesPage(document),
          errorsPage(document),
          limitsPage(document),
          idempotencyPage(document),
          await lifecyclesPage(document),
          simulatorPage(document),
          versioningPage(document),
          written.changelog,
          unspecifiedPage(document),
          requirementsPage(trace),
        ],
      },
      { title: "Objects", pages: objectPages(document) },
    ],
  };
}
