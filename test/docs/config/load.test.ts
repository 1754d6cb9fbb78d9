import { join } from "node:path";
import { expect, test } from "vitest";
import { rejectFarOutput } from "../../../scripts/docs/build.ts";
import { loadSiteConfig, type SiteConfig } from "../../../scripts/docs/config/site-config.ts";
import { withFiles } from "./files.ts";

const load = (text: string): Promise<SiteConfig> =>
  withFiles({ "docs.config.yaml": text, "logo.svg": "<svg/>", "notes/todo.md": "" }, (folder) =>
    loadSiteConfig(join(folder, "docs.config.yaml")),
  );

test("an empty configuration is that of a site without a publisher", async () => {
  expect(await load("")).toMatchObject({ base: "/", headerLinks: [], pages: [], versions: [] });
});

test("files are found from the folder of the configuration", async () => {
  const { logo, out, folder } = await load("logo: logo.svg\nout: public");
  expect([logo, out]).toEqual([join(folder, "logo.svg"), join(folder, "public")]);
});

test("the path of the site is that of its URL", async () => {
  expect(await load("siteUrl: https://docs.example.com/mail")).toMatchObject({
    siteUrl: "https://docs.example.com/mail/",
    base: "/mail/",
  });
});

test("a base URL has no slash at its end", async () => {
  expect(await load("baseUrl: https://mail.example.com/")).toMatchObject({
    baseUrl: "https://mail.example.com",
  });
});

test("a version without a document is a release of the contract", async () => {
  const { versions } = await load("versions: [{ name: 1.0.0 }]");
  expect(versions[0]?.document).toMatch(/releases\/1\.0\.0\.json$/);
});

test("a folder of an earlier build can be built again", async () => {
  const files = { "docs.config.yaml": "out: site", "site/404.html": "" };
  const build = (folder: string) => loadSiteConfig(join(folder, "docs.config.yaml"));
  await expect(withFiles(files, build)).resolves.toMatchObject({ out: expect.stringMatching(/site$/) });
});

test.for([
  ["titel: Mail", "docs.config.yaml:1:8 titel is not a known property"],
  ["title: 5", "title must be a string (The name of the API, on every page and in the document) (got 5)"],
  ["siteUrl: docs.example.com", 'siteUrl is invalid (An http or https URL) (got "docs.example.com")'],
  ["baseUrl: https://[", 'baseUrl is an invalid URL (got "https://[")'],
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
  ["socialImage: card.png", 'socialImage requires siteUrl (got "card.png")'],
  ["out: .", "out would replace the folder of the configuration"],
  ["out: ..", "out would replace the folder of the configuration"],
  ["out: /", "out would replace the folder of the configuration"],
  ["out: logo.svg", "out names a file, not a folder"],
  ["out: notes", "out names a folder with other files, which the build would replace"],
  ["{ out: notes, pages: [notes/todo.md] }", "notes/todo.md, which the site is built from"],
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
