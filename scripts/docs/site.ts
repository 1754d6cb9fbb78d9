import { readText } from "../../lib/files.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { removedOperations, siteForClients, withPackages } from "./audience.ts";
import { type SiteConfig, siteConfig } from "./config/site-config.ts";
import { operationPath, type Page, type Section, type Site } from "./page.ts";
import { errorsPage } from "./pages/errors.ts";
import { lifecyclesPage } from "./pages/lifecycles.ts";
import { makingRequestsPage } from "./pages/making-requests.ts";
import { objectPages } from "./pages/objects.ts";
import { operationPage } from "./pages/operation.ts";
import * as pages from "./pages/reference.ts";
import { operationsWith } from "./pages/reference.ts";
import { implementationsPage, readTrace, requirementsPage } from "./pages/requirements.ts";
import { workflowPages } from "./pages/workflows.ts";
import { samplesOf, withSamples } from "./samples/samples.ts";
import { withoutMarkup } from "./text/foreign.ts";
import { box, bulletList, code, joined, plainLabel, siteLink } from "./text/markdown.ts";
import { extraPage, extraPages, plainText, readGuides, withSiteLinks } from "./written-pages.ts";

/**
 * Composes every page from the bundle, the trace of requirements, the guides and the samples.
 * @throws UserError for a missing source, or a part of the document that no page can show
 */
export async function composeSite(document: OpenApiDocument, config: SiteConfig = siteConfig()) {
  const forClients = config.audience === "client";
  const [requirements, { start, guides: written, languages, builders, ...others }] = await Promise.all([
    forClients ? [] : readTrace(),
    readGuides(config, removedOperations(document)),
  ]);
  const guides = written.map((page) => withSamples(document, page));
  const taken = [...guides, ...languages, ...builders].map(({ path }) => path);
  const extras = await extraPages(config, taken);
  const sources = { document, requirements, samples: samplesOf(document), guides };
  const operationSections = document.tags.map(
    ({ name }): Section => ({
      title: name,
      area: "reference",
      pages: pages.operationsWith(document, name).map((placed) => operationPage(sources, placed)),
    }),
  );
  const reference = [
    pages.operationsPage(document),
    makingRequestsPage(document),
    pages.abilitiesPage(document),
    errorsPage(document),
    pages.limitsPage(document),
    pages.idempotencyPage(document),
    await lifecyclesPage(document),
    pages.simulatorPage(document),
    pages.versioningPage(document),
    others.downloads,
    others.changelog,
    pages.unspecifiedPage(document),
    others.notCovered,
  ];
  const site: Site = {
    start: await homePage(document, start, config),
    sections: [
      { title: "Guides", area: "guides", collapsed: true, pages: [...guides, ...extras] },
      {
        title: "Workflows",
        area: "guides",
        collapsed: true,
        pages: workflowPages(document),
      },
      { title: "Clients by language", area: "guides", collapsed: true, pages: languages },
      {
        title: "For builders",
        area: "builders",
        collapsed: true,
        pages: [...builders, requirementsPage(requirements), await implementationsPage(document)],
      },
      ...operationSections,
      { title: "Reference", area: "reference", pages: reference },
      { title: "Objects", area: "reference", collapsed: true, pages: objectPages(document) },
    ],
  };
  return withPackages(forClients ? siteForClients(site) : site, config);
}

/** The first page: that of the publisher, or the built-in one with the publisher's parts; then a list of the operations. */
async function homePage(document: OpenApiDocument, builtIn: Page, config: SiteConfig): Promise<Page> {
  const { file, title = document.info.title } = config.home ?? {};
  const page =
    file === undefined
      ? {
          ...withOwnParts(builtIn, config.home),
          title,
          ...(config.home && config.written && { written: config.written }),
        }
      : { ...extraPage(config, file, await readText(file)), path: "" };
  return { ...page, text: joined(page.text.trim(), "## Operations", operationList(document)) };
}

/** Where the cards of a publisher stand instead of the built-in ones, which are left out already. */
const cardsMark = "<div data-cards></div>\n";

function withOwnParts(page: Page, { lead, cards = [] }: SiteConfig["home"] = {}): Page {
  // What its texts have is no HTML.
  const own = cards.map(({ title, url, text }) => {
    return box(
      "card",
      withSiteLinks(`## [${plainLabel(title)}](${url})`),
      withSiteLinks(withoutMarkup(text)),
    );
  });
  const text = page.text.replace(cardsMark, () => (own.length === 0 ? "" : box("cards", ...own)));
  if (lead === undefined) return { ...page, text };
  const [first, rest] = [withoutMarkup(lead), text.slice(text.indexOf("\n\n")).trim()];
  return { ...page, description: plainText(first), text: joined(withSiteLinks(first), rest) };
}

function operationList(document: OpenApiDocument): string {
  const groups = document.tags.map(({ name }) => {
    const lines = operationsWith(document, name).map(
      ({ id, method, path, operation: { summary } }) =>
        `<span class="method ${method}">${method.toUpperCase()}</span> ${siteLink(summary, operationPath(id))} ${code(path)}`,
    );
    return box("group", `### ${name}`, bulletList(lines));
  });
  return box("operations", ...groups);
}
