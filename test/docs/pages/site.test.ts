import { expect, test } from "vitest";
import { withLinks } from "../../../scripts/docs/links.ts";
import { machineFiles } from "../../../scripts/docs/machine.ts";
import type { Page } from "../../../scripts/docs/page.ts";
import { composeSite, pagesOf } from "../../../scripts/docs/site.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";

const page = (address: string, text = ""): Page => ({ address, title: address, description: "", text });
const pages = [page(""), page("errors"), page("guides/testing")];

test.each([
  ["page", "[a](/docs/) [b](/docs/errors/#429-rate_limited) [c](/docs/llms.txt)"],
  ["markdown", "[a](/docs/index.md) [b](/docs/errors.md#429-rate_limited) [c](/docs/llms.txt)"],
] as const)("links lead to pages, or to their twins: %s", (form, written) => {
  const text = "[a](site:) [b](site:errors#429-rate_limited) [c](site:llms.txt)";
  expect(withLinks(page("x", text), { pages, base: "/docs/", form })).toBe(written);
});

test("a link to no page ends the build and names both", () => {
  const form = { pages, base: "/", form: "page" } as const;
  expect(() => withLinks(page("guides/testing", "[a](site:erors)"), form)).toThrow(
    "the page guides/testing links to erors, which is no page",
  );
});

test("every operation, every object and every guide has a page of its own", async () => {
  const document = await readBundle();
  const site = await composeSite(document);
  const addresses = pagesOf(site).map(({ address }) => address);
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(addresses.filter((address) => address.startsWith("operations/"))).toHaveLength(
    operationsOf(document).length,
  );
  const objects = Object.values(document.components.schemas ?? {}).filter(({ title }) => title !== undefined);
  expect(addresses.filter((address) => address.startsWith("objects/"))).toHaveLength(objects.length + 1);
});

test("an operation without samples ends the build and names the file that is missing", async () => {
  const document = structuredClone(await readBundle());
  const { get } = document.paths["/api/v1/me"] ?? {};
  if (get === undefined) throw new TypeError("the document has no such call");
  document.paths["/api/v1/new"] = { get: { ...get, operationId: "getNew" } };
  await expect(composeSite(document)).rejects.toThrow("there is no sample docs/samples/get-new/curl.sh");
});

test("a part of an operation that no page shows ends the build, and a deprecated call says so", async () => {
  const document = structuredClone(await readBundle());
  const { get } = document.paths["/api/v1/me"] ?? {};
  if (get === undefined) throw new TypeError("the document has no such call");
  get.deprecated = true;
  const pages = pagesOf(await composeSite(document));
  const texts = pages.filter(({ text }) => text.includes("**Deprecated.**"));
  expect(texts.map(({ address }) => address)).toEqual(["operations/get-me"]);
  Object.assign(get, { callbacks: {} });
  await expect(composeSite(document)).rejects.toThrow("the reference shows no callbacks of this operation");
});

test("the texts for machines are the texts of the pages", async () => {
  const document = await readBundle();
  const site = await composeSite(document);
  const files = machineFiles(document, site, "/");
  expect(files.get("llms.txt")).toMatch(/^# Email API\n\n> /);
  expect(files.get("operations/send-email.md")).toMatch(/^# Send a message\n/);
  expect([...files.keys()].filter((name) => name.endsWith(".md"))).toHaveLength(pagesOf(site).length);
});
