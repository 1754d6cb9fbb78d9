import { join } from "node:path";
import { expect, test } from "vitest";
import { rejectFarOutput } from "../../scripts/docs/build.ts";
import { publishedDocument } from "../../scripts/docs/config/document.ts";
import { loadSiteConfig, type SiteConfig, siteConfig } from "../../scripts/docs/config/site-config.ts";
import { pagesOf } from "../../scripts/docs/page.ts";
import { composeSite } from "../../scripts/docs/site.ts";
import { siteData } from "../../scripts/docs/site-data.ts";
import { contrastNotes } from "../../scripts/docs/theme.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { withFiles } from "./with-files.ts";

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
