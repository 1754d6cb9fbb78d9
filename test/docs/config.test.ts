import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { displayPath } from "../../lib/files.ts";
import { rejectFarOutput } from "../../scripts/docs/build.ts";
import { overlayPlaces, publishedDocument } from "../../scripts/docs/config/document.ts";
import { loadSiteConfig, type SiteConfig, siteConfig } from "../../scripts/docs/config/site-config.ts";
import { skillFile, withLinks, withoutRemovedPages } from "../../scripts/docs/links.ts";
import { type Page, pagesOf } from "../../scripts/docs/page.ts";
import { searchEntries } from "../../scripts/docs/search/entries.ts";
import { composeSite } from "../../scripts/docs/site.ts";
import { siteData } from "../../scripts/docs/site-data.ts";
import { textFiles } from "../../scripts/docs/text-files.ts";
import { contrastNotes } from "../../scripts/docs/theme.ts";
import { extraPages } from "../../scripts/docs/written-pages.ts";
import { operationsOf } from "../../scripts/document/operations.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Writes the files into a folder of their own, and runs `work` with it. */
async function withFiles<Result>(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Result | Promise<Result>,
): Promise<Result> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return work(folder);
}

const load = (text: string): Promise<SiteConfig> =>
  withFiles({ "docs.config.yaml": text, "logo.svg": "<svg/>", "notes/todo.md": "" }, (folder) =>
    loadSiteConfig(join(folder, "docs.config.yaml")),
  );

test.for<[title: string, text: string, read: object]>([
  ["nothing is a site without a publisher", "", { base: "/", links: [], pages: [], versions: [] }],
  [
    "the path of the site is that of its URL",
    "siteUrl: https://docs.example.com/mail",
    { siteUrl: "https://docs.example.com/mail/", base: "/mail/" },
  ],
  [
    "a base URL has no slash at its end",
    "baseUrl: https://mail.example.com/",
    { baseUrl: "https://mail.example.com" },
  ],
  [
    "a version without a document is a release of the contract",
    "versions: [{ name: 1.0.0 }]",
    { versions: [{ document: expect.stringMatching(/releases\/1\.0\.0\.json$/) }] },
  ],
])("%s", async ([, text, read]) => {
  expect(await load(text)).toMatchObject(read);
});

test("files are found from the folder of the configuration", async () => {
  const { logo, out, folder } = await load("logo: logo.svg\nout: public");
  expect([logo, out]).toEqual([join(folder, "logo.svg"), join(folder, "public")]);
});

test("a folder of an earlier build can be built again", async () => {
  const files = { "docs.config.yaml": "out: site", "site/404.html": "" };
  const build = (folder: string) => loadSiteConfig(join(folder, "docs.config.yaml"));
  await expect(withFiles(files, build)).resolves.toMatchObject({ out: expect.stringMatching(/site$/) });
});

test.for([
  ["titel: Mail", "docs.config.yaml:1:8 titel is not a known property"],
  [
    "title: 5",
    "title must be a string in quotes (The name of the API, on every page and in the document) (got 5)",
  ],
  ["siteUrl: docs.example.com", 'siteUrl is invalid (An http or https URL) (got "docs.example.com")'],
  ["baseUrl: https://[", 'baseUrl is an invalid URL (got "https://[")'],
  ["siteUrl: https://[", 'siteUrl is an invalid URL (got "https://[")'],
  [
    "baseUrl: https://mail.example.com/api/v1/",
    'baseUrl must not end with the start of all paths (got "https://mail.example.com/api/v1")',
  ],
  ["baseUrl: 'https://a.example/\"><b>'", "baseUrl is invalid (An http or https URL)"],
  [
    "versions: [{ name: 1.0.0 }, { name: 1.0.0, document: other.json }]",
    "versions[1].name is the name of another version (got 1.0.0)",
  ],
  [
    "versions: [{ name: 9.9.9 }]",
    "versions[0] requires document: no release has the name 9.9.9 (the releases are 1.0.0)",
  ],
  ["logo: missing.svg", "logo names a file that does not exist"],
  ["versions: [{ name: 0.9.0, document: none.json }]", "versions[0] names a file that does not exist"],
  ["socialImage: card.png", "must have property siteUrl when property socialImage is present"],
  ["audience: agents", 'audience must be one of client, everyone (got "agents")'],
  ["home: { file: none.md }", "home.file names a file that does not exist"],
  [
    "home: { file: notes/todo.md, title: Mail }",
    "home must have at most 1 property (file excludes the others)",
  ],
  ["audience: client", 'audience requires repositoryUrl or packages (got "client")'],
  ["home: { cards: [{ title: A, url: a, text: A }] }", "home.cards[0].url is invalid"],
  ["out: .", "out would replace the folder of the configuration"],
  ["out: ..", "out would replace the folder of the configuration"],
  ["out: /", "out would replace the folder of the configuration"],
  ["out: logo.svg", "out names a file, not a folder"],
  ["out: notes", "out names a folder with other files, which the build would replace"],
  ["{ out: notes, pages: [notes/todo.md] }", "notes/todo.md, which the site is built from"],
  ["contact: {}", "contact "],
  ["contact: { email: support }", "contact.email is invalid"],
  ["links: [{ title: Status }]", "links[0] must have the property url"],
])("%s is rejected with its position and value", async ([text, message]) => {
  await expect(load(text ?? "")).rejects.toThrow(message);
});

test("an output folder without a folder in common with the package is rejected", () => {
  expect(() => rejectFarOutput("/srv/public", "/home/ada/site/node_modules/email-api-contract")).toThrow(
    "the output folder /srv/public and the package in /home/ada/site/node_modules/email-api-contract have no folder in common",
  );
  expect(() => rejectFarOutput("/home/public", "/home/ada/site")).not.toThrow();
});

/** The document with an overlay of these actions. */
const changed = (...actions: object[]): Promise<OpenApiDocument> =>
  withFiles(
    {
      "overlay.json": JSON.stringify({ overlay: "1.0.0", info: { title: "Changes", version: "1" }, actions }),
    },
    (folder) => publishedDocument(siteConfig({ overlay: join(folder, "overlay.json") })),
  );

test("an update merges objects", async () => {
  const { info } = await changed({ target: "$.info", update: { summary: "Mail." } });
  expect(info).toMatchObject({ title: "Email API", summary: "Mail." });
});

test("an update of a list appends to it", async () => {
  const { servers } = await changed({ target: "$.servers", update: { url: "https://eu.example.com" } });
  expect(servers.map(({ url }) => url)).toEqual(["{base_url}", "https://eu.example.com"]);
});

test("a JSONPath with a filter selects objects by a property", async () => {
  const target = "$.paths.*[?(@.operationId == 'getMe')]";
  const document = await changed({ target, update: { summary: "Read the account" } });
  const found = operationsOf(document).find(({ id }) => id === "getMe");
  expect(found?.operation.summary).toBe("Read the account");
});

test("every selected entry of a list is removed", async () => {
  const { "x-errors": errors } = await changed({
    target: "$['x-errors'][?(@.retry != 'never')]",
    remove: true,
  });
  const kept = (await readBundle())["x-errors"].filter(({ retry }) => retry === "never");
  expect(errors).toEqual(kept);
});

const ping = {
  operationId: "ping",
  summary: "Ping",
  description: "No body.",
  tags: ["Account"],
  responses: {},
};
const pingPage = async (document: OpenApiDocument): Promise<string> =>
  pagesOf(await composeSite(document)).find(({ path }) => path === "operations/ping")?.text ?? "";
const oven = {
  description: "An oven.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Oven" } } },
};

test("an added operation may have a new tag, and bodies without an example or a schema", async () => {
  const content = { "application/json": { example: { ovens: 2 } } };
  const head = { ...ping, tags: ["Ovens"], responses: { 200: { ...oven, content } } };
  const document = await changed({ target: "$.paths['/api/v1/me']", update: { head } });
  expect(document.tags.map(({ name }) => name)).toContain("Ovens");
  expect(await pingPage(document)).toContain('"ovens": 2');
});

test("the page of an added operation has every error that it states, and links those that all operations share", async () => {
  const example = { error: { type: "cold", message: "The oven is cold." } };
  const content = { "application/json": { example } };
  const responses = {
    401: { $ref: "#/components/responses/Unauthorized" },
    418: { description: "The oven is cold.", content },
  };
  const head = { ...ping, responses };
  const document = await changed({ target: "$.paths['/api/v1/me']", update: { head } });
  const [, errors = ""] = (await pingPage(document)).split("## Errors");
  expect(errors).toContain("**418**");
  expect(errors).toContain('"type": "cold"');
  expect(errors).toContain("](site:errors#401-unauthorized)");
});

test("the body of an added request may be a $ref", async () => {
  const content = { "application/json": { example: { ovens: 2 } } };
  const head = { ...ping, requestBody: { $ref: "#/components/requestBodies/Ovens" } };
  const document = await changed(
    { target: "$.components", update: { requestBodies: { Ovens: { content } } } },
    { target: "$.paths['/api/v1/me']", update: { head } },
  );
  expect(await pingPage(document)).toContain('"ovens": 2');
});

test("a value that the API sends may have a property $ref", async () => {
  const properties = { link: { type: "object", default: { $ref: "#/nothing" } } };
  const { components } = await changed({ target: "$.components.schemas", update: { Oven: { properties } } });
  expect(components.schemas).toHaveProperty("Oven");
});

test("an action may complete what an earlier one leaves", async () => {
  const head = { ...ping, responses: { 200: oven } };
  const { components } = await changed(
    { target: "$.paths['/api/v1/me']", update: { head } },
    { target: "$.components.schemas", update: { Oven: { type: "object" } } },
  );
  expect(components.schemas).toHaveProperty("Oven");
});

test("a path and a group whose last operation is removed are removed", async () => {
  const { paths } = await changed({ target: "$.paths['/api/v1/me'].get", remove: true });
  expect(Object.keys(paths)).not.toContain("/api/v1/me");
  const document = await changed({ target: "$.paths['/api/v1/me']", remove: true });
  expect(document.tags.map(({ name }) => name)).toEqual(["Emails", "Newsletter"]);
  const { start, sections } = await composeSite(document);
  expect(sections.map(({ title }) => title)).not.toContain("Account");
  expect(start.text).not.toContain("### Account");
});

test("what only a removed operation has is removed: its object, and its line in the skill", async () => {
  const target = "$.paths['/api/v1/me']";
  const removed = await changed({ target, remove: true });
  expect(removed.components.schemas).not.toHaveProperty("Account");
  expect(removed.components.schemas).toHaveProperty("Page");
  const site = withoutRemovedPages(await composeSite(removed), removed, await readBundle());
  expect(pagesOf(site).map(({ path }) => path)).not.toContain("objects/account");
  const files = await textFiles({ document: removed, site, config: siteConfig() });
  expect(files.get(skillFile)).not.toMatch(/get-me|v1\/me/);
  expect(files.get(skillFile)).toContain("`operations/send-email.md` |\n");
});

test("the skill has no section and no path for a removed operation", async () => {
  const paths = Object.keys((await readBundle()).paths).filter((path) => /batch|newsletter/.test(path));
  const removed = await changed(...paths.map((path) => ({ target: `$.paths['${path}']`, remove: true })));
  const site = withoutRemovedPages(await composeSite(removed), removed, await readBundle());
  const skill = (await textFiles({ document: removed, site, config: siteConfig() })).get(skillFile);
  expect(skill).not.toMatch(/## Keep contacts|## Send a batch|\/newsletter\/|emails\/batch/);
  expect(skill).toContain("characters:\n   `POST /emails`. Always");
});

test("points that only removed operations leave unspecified are removed, from the search too", async () => {
  const removed = await changed({ target: "$.paths['/api/v1/me']", remove: true });
  const { text = "" } = pagesOf(await composeSite(removed)).find(({ path }) => path === "unspecified") ?? {};
  const ids = searchEntries(removed, ["requirements", "unspecified"]).map(({ id }) => id);
  expect(text).not.toMatch(/"OPEN-(8|13|70)"|getMe/);
  expect(ids.filter((id) => /^OPEN-(8|13|70)$/.test(id))).toEqual([]);
  expect(text).toContain('"OPEN-1"');
  expect(ids).toContain("OPEN-22");
});

test("an object of an object that only a removed operation has is removed", async () => {
  const target = "$.paths['/api/v1/newsletter/lists']";
  const { components } = await changed({ target, remove: true });
  expect(Object.keys(components.schemas ?? {}).filter((name) => name.startsWith("NewsletterList"))).toEqual(
    [],
  );
});

test("links to a removed operation are text, and a note names the guides that have them", async () => {
  const target = "$.paths['/api/v1/emails/{id}'].delete";
  const document = await changed({ target, remove: true });
  const site = withoutRemovedPages(await composeSite(document), document, await readBundle());
  const pages = pagesOf(site);
  for (const page of pages) withLinks(page, { pages, base: "/", form: "html" });
  expect(pages.map(({ text }) => text).join()).not.toContain("site:operations/cancel-email");
  expect(site.notes).toEqual([
    "operations/cancel-email is not in the document: links to it are text in guides/scheduling",
  ]);
});

test("a removed operation is not taken for one whose name begins like it", async () => {
  const target = "$.paths['/api/v1/emails'].post";
  const bundle = await readBundle();
  const site = await composeSite(bundle);
  const only = {
    ...site,
    sections: [],
    start: { ...site.start, text: "[batch](site:operations/send-email-batch)" },
  };
  const { notes } = withoutRemovedPages(only, await changed({ target, remove: true }), bundle);
  expect(notes).toEqual([]);
});

test("an added operation requires the security of the document", async () => {
  const document = await changed({ target: "$.paths['/api/v1/me']", update: { head: ping } });
  const added = operationsOf(document).find(({ id }) => id === "ping");
  expect(added?.operation.security).toEqual((document as { security?: object }).security);
});

test.for<[string, string]>([
  ["[]", "it is not a JSON object"],
  ["{", "it is not a JSON object"],
  ['{ "info": {} }', "it has no servers, tags, paths"],
])("an earlier document %s is rejected", async ([text, message]) => {
  const loaded = withFiles({ "old.json": text }, (folder) =>
    publishedDocument(
      siteConfig({ version: "0.9", versions: [{ name: "0.9", document: join(folder, "old.json") }] }),
    ),
  );
  await expect(loaded).rejects.toThrow(`old.json cannot be published as version 0.9: ${message}`);
});

test("title and base URL of the configuration are in the document", async () => {
  const document = await publishedDocument(
    siteConfig({ title: "Mail", baseUrl: "https://mail.example.com" }),
  );
  expect(document.info.title).toBe("Mail");
  expect(document.servers[0]?.variables?.base_url?.default).toBe("https://mail.example.com");
  expect(document.info.description).toContain("over HTTPS to `https://mail.example.com`;");
});

const contact = { name: "Bakery support", email: "help@bakery.example" };

test.for<[string, Partial<SiteConfig>, object | undefined]>([
  ["none by default", {}, undefined],
  ["that of the configuration", { contact }, contact],
])("the contact is %s", async ([, config, expected]) => {
  const document = await publishedDocument(siteConfig(config));
  expect(document.info.contact).toEqual(expected);
  const pages = pagesOf(await composeSite(document)).map(({ text }) => text);
  const texts = [...pages, JSON.stringify(document)].join("\n");
  expect(texts).not.toContain("email-api-contract.example");
  expect(texts.includes("Contact: Bakery support, help@bakery.example.")).toBe(expected !== undefined);
});

test("an overlay may set the contact", async () => {
  const { info } = await changed({
    target: "$.info.contact",
    update: { url: "https://help.bakery.example" },
  });
  expect(info.contact?.url).toBe("https://help.bakery.example");
});

test.for([
  ["an example", undefined, "simulator.example"],
  ["that of the configuration", "sim.example.com", "sim.example.com"],
] as const)("the domain of the simulated recipients is %s", async ([, simulatorDomain, expected]) => {
  const config = siteConfig(simulatorDomain === undefined ? {} : { simulatorDomain });
  const document = await publishedDocument(config);
  expect(document["x-simulator"].domain).toBe(expected);
  expect(document.components.examples?.MessageBounced).toMatchObject({
    value: { to: [`bounce@${expected}`] },
  });
});

test.for([
  [{ target: "$.nothing", update: {} }, "actions[0] selects nothing in the document (target $.nothing)"],
  [{ target: "$.info[", update: {} }, "actions[0] has an invalid JSONPath (target $.info[)"],
  [
    { target: "info", update: {} },
    'actions[0].target is invalid (A JSONPath that starts with $) (got "info")',
  ],
  [{ target: "$.info" }, "actions[0] must have update or remove (target $.info)"],
  [{ target: "$", remove: true }, "actions[0] must not remove the whole document (target $)"],
  [
    { target: "$.paths['/api/v1/me']", update: { head: { summary: "Ping" } } },
    "overlay.json:1:72 actions[0] leaves HEAD /api/v1/me without operationId, description, tags, responses",
  ],
  [
    { target: "$.paths['/api/v1/me']", update: { head: { ...ping, operationId: "getEmail" } } },
    "actions[0] gives two operations the operationId getEmail (/api/v1/emails/{id} and /api/v1/me)",
  ],
  [
    { target: "$.paths['/api/v1/me']", update: { head: { ...ping, responses: { 200: oven } } } },
    "actions[0] leaves the unresolved $ref #/components/schemas/Oven (paths > /api/v1/me > head > responses > 200",
  ],
  [
    { target: "$.components.schemas.Account", remove: true },
    "actions[0] leaves the unresolved $ref #/components/schemas/Account",
  ],
  [
    { target: "$.paths['/api/v1/me']", update: { head: { ...ping, responses: { default: oven } } } },
    "actions[0] leaves the unresolved $ref #/components/schemas/Oven (paths > /api/v1/me > head > responses > default",
  ],
  [
    { target: "$.components.schemas", update: { Oven: { properties: { default: { $ref: "#/nothing" } } } } },
    "unresolved $ref #/nothing (components > schemas > Oven > properties > default)",
  ],
  [
    { target: "$.components.schemas", update: { default: { items: { $ref: "#/nothing" } } } },
    "unresolved $ref #/nothing (components > schemas > default > items)",
  ],
  [
    {
      target: "$.paths['/api/v1/me'].get",
      update: { requestBody: { $ref: "#/components/requestBodies/Me" } },
    },
    "unresolved $ref #/components/requestBodies/Me (paths > /api/v1/me > get > requestBody)",
  ],
  [{ target: "$.paths['/api/v1/me']", update: { head: { ...ping, tags: [] } } }, "tags"],
  [{ target: "$['x-versioning']", remove: true }, "must not remove x-versioning from the document"],
  [{ target: "$.servers", remove: true }, "actions[0] must not remove servers from the document"],
  [
    { target: "$", update: { paths: null } },
    "overlay.json:1:72 actions[0] leaves the document invalid: paths must be an object (got null)",
  ],
  [
    { target: "$.paths['/api/v1/me'].get", update: { tags: "Account" } },
    'leaves the document invalid: paths./api/v1/me.get.tags must be an array (got "Account")',
  ],
  [
    { target: "$.paths['/api/v1/me']", update: { head: { ...ping, responses: { 200: null } } } },
    "leaves the document invalid: paths./api/v1/me.head.responses[200] must be an object (got null)",
  ],
] as const)("%o is rejected", async ([action, message]) => {
  await expect(changed(action)).rejects.toThrow(message);
});

test("a place of the changed document leads to the last action that changed it, or what is nearest", async () => {
  const overlay = `overlay: 1.0.0
info: { title: Changes, version: 1.0.0 }
actions:
  - { target: $.info, update: { summary: Mail. } }
  - target: $.paths
    update: { /api/v1/ping: { get: { operationId: ping } } }
  - { target: "$.paths['/api/v1/ping'].get", update: { tags: [account], summary: Ping, description: Pong., responses: {} } }
`;
  await withFiles({ "overlay.yaml": overlay }, async (folder) => {
    const { file, positionOf } = await overlayPlaces(await readBundle(), join(folder, "overlay.yaml"));
    expect(file).toMatch(/overlay\.yaml$/);
    const line = (...path: string[]): number => positionOf(path).line;
    expect(line("info")).toBe(4);
    expect(line("info", "summary")).toBe(4);
    expect(line("paths", "/api/v1/ping", "get", "responses", "401")).toBe(7);
    expect(line("paths", "/api/v1/ping", "post")).toBe(7);
  });
});

test("a link in the code of an extra page is left as it is", async () => {
  const text = "# Support\n\nAsk [us](/errors/).\n\n```md\n[a](/errors/)\n```\n";
  await withFiles({ "support.md": text }, async (folder) => {
    const [page] = await extraPages(siteConfig({ pages: [join(folder, "support.md")] }), []);
    expect(page?.text).toContain("[us](site:errors)");
    expect(page?.text).toContain("```md\n[a](/errors/)\n```");
  });
});

const errorsPage: Page = { path: "errors", title: "Errors", description: "", text: "" };

test("a dead link of an extra page is an error that names the file, its line, and where all pages are listed", async () => {
  const text = "# Support\n\nAsk us.\n\nSee [errors](/errors/) and [this](/erors/).\n";
  await withFiles({ "support.md": text }, async (folder) => {
    const file = join(folder, "support.md");
    const [extra] = await extraPages(siteConfig({ pages: [file] }), []);
    const links = (): string =>
      withLinks(extra ?? errorsPage, { pages: [errorsPage], base: "/", form: "html" });
    expect(links).toThrow(`${displayPath(file)}:5 links to erors, which does not exist`);
    expect(links).toThrow(
      expect.objectContaining({ exitCode: 2, hint: expect.stringMatching(/\/errors\/.*llms\.txt/) }),
    );
  });
});

test("the current version and an earlier one of the same version have different names in the header", async () => {
  const document = await readBundle();
  const site = await composeSite(document);
  const versions = [{ name: document.info.version, document: "" }];
  const labelOf = (config: Partial<SiteConfig>): string =>
    siteData({ document, site, config: siteConfig(config) }, []).versionLabel;
  expect(labelOf({})).toBe("v1.0.0");
  expect(labelOf({ versions })).toBe("v1.0.0 (current)");
  expect(labelOf({ versions, version: "1.0.0", base: "/1.0.0/" })).toBe("1.0.0");
});

test("accent colors with a low contrast are noted", () => {
  expect(contrastNotes(siteConfig({ colors: { accent: "#77ccdd", accentDark: "#6cc5d1" } }))).toEqual([
    "colors.accent #77ccdd has a contrast of 1.8 with white: text needs 4.5",
  ]);
  expect(contrastNotes(siteConfig())).toEqual([]);
});
