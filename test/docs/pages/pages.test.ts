import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../../scripts/common/paths.ts";
import { withBaseUrl } from "../../../scripts/docs/build.ts";
import { siteConfig } from "../../../scripts/docs/config/site-config.ts";
import { clientPackage, editLink, projectFiles, withLinks } from "../../../scripts/docs/links.ts";
import { type Page, pagesOf } from "../../../scripts/docs/page.ts";
import { composeSite } from "../../../scripts/docs/site.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import { baseUrlOf } from "../../../scripts/document/requests.ts";
import { headerNames } from "../../../scripts/document/responses.ts";
import { readWorkflows } from "../../../scripts/document/workflows.ts";

const bundle = await readBundle();
const bundled = await composeSite(bundle);

const page = (path: string, text = ""): Page => ({ path, title: path, description: "", text });
const pages = [page(""), page("errors"), page("guides/testing")];

test.each([
  ["html", "[a](/docs/) [b](/docs/errors/#429-rate_limited) [c](/docs/llms.txt)"],
  ["markdown", "[a](/docs/index.md) [b](/docs/errors.md#429-rate_limited) [c](/docs/llms.txt)"],
] as const)("links lead to pages or Markdown files: %s", (form, expected) => {
  const text = "[a](site:) [b](site:errors#429-rate_limited) [c](site:llms.txt)";
  expect(withLinks(page("x", text), { pages, base: "/docs/", form })).toBe(expected);
});

test("guides link to the JSON Schemas, which are files of the site", () => {
  const guide = pagesOf(bundled).find(({ path }) => path === "guides/testing-a-server");
  const text = withLinks(guide ?? page(""), { pages: pagesOf(bundled), base: "/docs/", form: "html" });
  for (const name of ["contract.schema.json", "contract-report.schema.json"])
    expect(text).toContain(`](/docs/${name})`);
  for (const file of projectFiles.values()) expect(existsSync(join(root, file)), file).toBe(true);
});

const textOf = (path: string, pages: readonly Page[] = pagesOf(bundled)): string =>
  pages.find((one) => one.path === path)?.text ?? "";

test("each client has a page, which the overview links to", () => {
  const folders = readdirSync(join(root, "clients")).filter((name) => !name.endsWith(".md"));
  for (const name of folders) {
    expect(textOf(`clients/${name}`)).toContain("```");
    expect(textOf("guides/clients")).toContain(`](site:clients/${name})`);
  }
});

test("pages of clients and their overview have no ids of requirements", () => {
  const paths = pagesOf(bundled).map(({ path }) => path);
  const shown = paths.filter((path) => path.startsWith("clients/") || path === "guides/clients");
  expect(shown.length).toBeGreaterThan(10);
  for (const path of shown) expect(textOf(path)).not.toMatch(/\b[A-Z]{2,}-\d+\b|requirements? (pass|fail)/);
});

test("pages for readers name no folder of the project with generated files", () => {
  const readers = bundled.sections.filter(({ area }) => area === "guides").flatMap(({ pages }) => pages);
  const written = [bundled.start, ...readers, ...pagesOf(bundled).filter(({ path }) => path === "downloads")];
  expect(written.filter(({ text }) => text.includes("generated/")).map(({ path }) => path)).toEqual([]);
});

test("every file of the page of downloads is on the site", () => {
  const text = withLinks(page("downloads", textOf("downloads")), {
    pages: pagesOf(bundled),
    base: "/docs/",
    form: "html",
  });
  const files = ["openapi.json", "openapi.yaml", "openapi-3.0.json", "openapi-flat.json", "postman.json"];
  for (const name of [...files, clientPackage, "errors.ts", "llms.txt", "llms-full.txt"])
    expect(text).toContain(`](/docs/${name})`);
});

const registryCommand = /npm install email-api-|npx email-api-/;

test("no command installs from a registry, where the names may belong to others", () => {
  expect(pagesOf(bundled).filter(({ text }) => registryCommand.test(text))).toEqual([]);
});

test("a publisher has the packages in a registry, and says where the project is", async () => {
  const repositoryUrl = "https://code.test/email";
  const site = await composeSite(bundle, siteConfig({ packages: "registry", repositoryUrl }));
  expect(textOf("guides/client", pagesOf(site))).toContain(
    "Install it:\n\n```sh\nnpm install email-api-client\n",
  );
  expect(textOf("guides/team-sandbox", pagesOf(site))).toContain(`[the project](${repositoryUrl})`);
  expect(textOf("guides/quick-start")).toContain("In a clone of the project, with");
  expect(
    pagesOf(site).filter(({ text }) => /npx --no email|email-api-client-\d\S*\.tgz\n|npm pack/.test(text)),
  ).toEqual([]);
  expect(textOf("guides/quick-start", pagesOf(site))).toContain("```sh\nnpx email-api-contract sandbox\n```");
});

test("an unresolved link is an error that names the page and the link", () => {
  const options = { pages, base: "/", form: "html" } as const;
  expect(() => withLinks(page("guides/testing", "[a](site:erors)"), options)).toThrow(
    "the page guides/testing links to erors, which does not exist",
  );
});

test("the idempotency key of an operation is that of its sample", () => {
  const keysOn = (path: string) => [...new Set(textOf(path).match(/\b(?:order|receipts)-1042-\w+/g))];
  expect(keysOn("operations/send-email")).toEqual(["order-1042-receipt"]);
  expect(keysOn("operations/send-batch")).toEqual(["receipts-1042-1043"]);
  expect(keysOn("operations/upsert-contact")).toEqual(["order-1042-signup"]);
});

test("the page of abilities names the operations whose ability is unspecified", () => {
  const sentence = textOf("abilities")
    .split("\n")
    .find((line) => line.startsWith("Which ability "));
  expect(sentence).toContain("](site:operations/get-me)");
  expect(sentence).not.toContain("](site:operations/get-email)");
});

test("every operation and every object has its own page", () => {
  const paths = pagesOf(bundled).map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.filter((path) => path.startsWith("operations/"))).toHaveLength(operationsOf(bundle).length);
  const objects = Object.values(bundle.components.schemas ?? {}).filter(({ title }) => title !== undefined);
  expect(paths.filter((path) => path.startsWith("objects/"))).toHaveLength(objects.length + 1);
});

/** The document with an operation that a test may change, and without the cache of the original. */
function documentWithGet() {
  const document = structuredClone(bundle);
  const { get } = document.paths["/api/v1/me"] ?? {};
  if (get === undefined) throw new TypeError("the document has no GET /api/v1/me");
  return { document, get };
}

test("only requests have marks of what is required, and only responses of what is optional", () => {
  const operations = pagesOf(bundled).filter(({ path }) => path.startsWith("operations/"));
  const parts = operations.map(({ text }) => text.split("\n## Response\n"));
  expect(parts.length).toBeGreaterThan(10);
  expect(parts.filter(([request = ""]) => request.includes('"chip optional"'))).toEqual([]);
  expect(parts.filter(([, response = ""]) => response.includes('"chip required"'))).toEqual([]);
  expect(parts.flat().join("\n")).toMatch(/"chip required"[\s\S]*"chip optional"/);
});

test("response headers have the names that are sent", () => {
  const { text = "" } = pagesOf(bundled).find(({ path }) => path === "making-requests") ?? {};
  const names = headerNames(bundle);
  expect([...names.values()].filter((name) => !text.includes(`**\`${name}\`**`))).toEqual([]);
  const components = [...names].filter(([component, name]) => component !== name);
  expect(components.filter(([component]) => text.includes(`\`${component}\``))).toEqual([]);
});

test.for([
  ["simulator.example", 'here, in "Try it" and in [a sandbox that you run](site:guides/sandbox).'],
  [
    "sim.example.com",
    'here and in "Try it"; [a sandbox that you run](site:guides/sandbox) has `simulator.example`, unless its seed file names another.',
  ],
] as const)("the page of simulated recipients says where the domain %s is", async ([domain, where]) => {
  const site = await composeSite({ ...bundle, "x-simulator": { ...bundle["x-simulator"], domain } });
  expect(textOf("simulator", pagesOf(site))).toContain(`The simulator domain is \`${domain}\` ${where} `);
});

test("a deprecated operation is marked", async () => {
  const { document, get } = documentWithGet();
  get.deprecated = true;
  const pages = pagesOf(await composeSite(document)).filter(({ text }) => text.includes("**Deprecated.**"));
  expect(pages.map(({ path }) => path)).toEqual(["operations/get-me"]);
});

test("a part of an operation that no page shows is an error", async () => {
  const { document, get } = documentWithGet();
  Object.assign(get, { callbacks: {} });
  await expect(composeSite(document)).rejects.toThrow(
    "the reference does not show the key callbacks (operation)",
  );
});

test("the page of an operation names a requirement of its own, which the contract suite verifies", () => {
  const pages = pagesOf(bundled);
  const named = pages
    .filter(({ path }) => path.startsWith("operations/"))
    .map(({ text }) => /contract --grep ([A-Z]+-\d+)/.exec(text)?.[1]);
  expect(named).not.toContain(undefined);
  expect(named).not.toContain("GEN-1");
  expect(new Set(named).size).toBeGreaterThan(6);
});

test("a base URL cannot end the attribute that it is in", async () => {
  const { document } = documentWithGet();
  document.servers = [{ url: 'https://a.example/"><b>' }];
  const page = pagesOf(await composeSite(document)).find(({ path }) => path === "operations/get-me");
  expect(page?.text).toContain('data-copy="https://a.example/&quot;&gt;&lt;b&gt;/api/v1/me"');
});

test("guides have the base URL of the published document", () => {
  const site = withBaseUrl(bundled, baseUrlOf(bundle), "https://eu.example");
  expect(pagesOf(site).filter(({ text }) => text.includes(baseUrlOf(bundle)))).toEqual([]);
  expect(site.start.text).toContain("curl https://eu.example/api/v1/emails");
});

test.each(["objects", "operations"])("the list of %s links to each of their pages", (list) => {
  const all = pagesOf(bundled);
  const { text = "" } = all.find(({ path }) => path === list) ?? {};
  const others = all.filter(({ path }) => path.startsWith(`${list}/`));
  expect(others.length).toBeGreaterThan(5);
  expect(others.filter(({ title, path }) => !text.includes(`[${title}](site:${path})`))).toEqual([]);
});

const composed = pagesOf(bundled);
const editUrl = "https://git.test/edit/main/";

test("in a clone, every page links to an existing file", () => {
  const links = composed.map((page) => editLink(page, siteConfig({ editUrl })));
  const files = links.map((link = "") => link.slice(editUrl.length));
  expect(files.filter((file) => file === "" || !existsSync(join(root, file)))).toEqual([]);
});

test.for([
  ["guides/sending", "docs/sending.md"],
  ["guides/client", "client/README.md"],
  ["clients/go-oapi-codegen", "clients/go-oapi-codegen/README.md"],
  ["operations/unsubscribe-contact", "openapi/paths/newsletter-contacts-email-unsubscribe.yaml"],
  ["objects/send-request", "openapi/schemas/SendRequest.yaml"],
  ["errors", "openapi/errors.yaml"],
])("%s is written in %s", ([path, file]) => {
  const page = composed.find((one) => one.path === path);
  expect(page && editLink(page, siteConfig({ editUrl }))).toBe(`${editUrl}${file}`);
});

test("a configuration in a folder of the clone gives the same links", () => {
  const config = siteConfig({ editUrl: `${editUrl}site/`, folder: join(root, "site") });
  const [start] = composed;
  expect(start && editLink(start, config)).toBe(`${editUrl}docs/index.md`);
});

test.for([
  ["without the setting", {}],
  ["outside a clone", { editUrl, folder: join(root, "../elsewhere") }],
  ["of an earlier version", { editUrl, version: "1.0.0" }],
] as const)("no page has a link %s", ([, config]) => {
  expect(composed.map((page) => editLink(page, siteConfig(config))).filter(Boolean)).toEqual([]);
});

test("each workflow has a page, with a request in each step that has values of the steps before", () => {
  for (const { name, workflows } of readWorkflows()) {
    const text = textOf(`workflows/${name}`);
    const steps = workflows.flatMap((workflow) => workflow.steps);
    expect(text.match(/^### \d+\. /gm)).toHaveLength(steps.length);
    expect(text.split("## As a file")[0]?.match(/^curl /gm)).toHaveLength(steps.length);
    expect(text).not.toMatch(/\$(inputs|steps)\.|JSONPath/);
  }
  expect(textOf("workflows/double-opt-in")).toContain(
    "Expect a success and an entry of `lists` with `list_id` `1` and `status` `subscribed`.",
  );
  expect(textOf("workflows/batch")).toContain("and `emails.1.to` in `fields`.");
  const schedule = textOf("workflows/schedule");
  expect(schedule).toContain('curl --request PATCH \\\n  "$EMAIL_API_URL/api/v1/emails/$MESSAGE_ID"');
});

test("each page of workflows has every input, with its value in the samples, and its title once", () => {
  const keys = { apiKey: "EMAIL_API_KEY", oldKey: "EMAIL_OLD_KEY", newKey: "EMAIL_NEW_KEY" };
  for (const { name, info, workflows } of readWorkflows()) {
    const text = textOf(`workflows/${name}`);
    const [, need = ""] = text.split(/^## /m);
    for (const [input, { examples }] of workflows.flatMap(({ inputs }) => Object.entries(inputs.properties)))
      expect(need).toContain(`| \`${input}\` | \`${examples?.[0] ?? keys[input as keyof typeof keys]}\` |`);
    expect(text).not.toContain(`## ${info.title}\n`);
  }
});

test("the samples of a step have the key of the step, in every language", () => {
  const text = textOf("workflows/rotate-key");
  const steps = text.split(/^### /m).slice(1);
  const keysOf = (step: string): string[] => [
    ...new Set(step.split("## As a file")[0]?.match(/EMAIL_\w+_KEY/g)),
  ];
  const [oldKey, newKey] = [["EMAIL_OLD_KEY"], ["EMAIL_NEW_KEY"]];
  expect(steps.map(keysOf)).toEqual([oldKey, newKey, oldKey, newKey, oldKey, newKey]);
});

test("a document without an operation has no workflow with it, and no link to one", async () => {
  const { "/api/v1/me": _, ...paths } = bundle.paths;
  const site = await composeSite({ ...bundle, paths });
  const left = pagesOf(site).filter(({ path }) => path.startsWith("workflows/"));
  expect(left.map(({ path }) => path)).toEqual([
    ...["workflows/batch", "workflows/double-opt-in", "workflows/retry-safely", "workflows/schedule"],
    "workflows/unsubscribe",
  ]);
});
