import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { parse } from "yaml";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";

const read = (name: string): Promise<string> => readFile(join(inject("siteFolder"), name), "utf8");

test("every page has a Markdown file, which its head links and llms.txt lists", async () => {
  const list = await read("llms.txt");
  for (const path of inject("pagePaths")) {
    const name = `${path || "index"}.md`;
    expect(await read(name), name).toMatch(/^# .+\n/);
    const html = await read(join(path, "index.html"));
    expect(html).toContain(`href="/reference/${name}"`);
    if (path !== "") expect(list).toContain(`(/reference/${name})`);
  }
});

test("links in Markdown files lead to existing files", async () => {
  const names = inject("pagePaths").map((path) => `${path || "index"}.md`);
  const texts = await Promise.all(names.map(read));
  const targets = texts.flatMap((text) =>
    [...text.matchAll(/\]\(\/reference\/([^)#]+)/g)].map(([, target]) => String(target)),
  );
  expect(targets.length).toBeGreaterThan(100);
  const files = ["llms.txt", "llms-full.txt", "openapi.json", "openapi.yaml", "postman.json", "redoc.html"];
  expect(targets.filter((target) => !names.includes(target) && !files.includes(target))).toEqual([]);
});

test("llms-full.txt contains every page", async () => {
  const all = await read("llms-full.txt");
  for (const path of inject("pagePaths")) expect(all).toContain(await read(`${path || "index"}.md`));
});

test("the bundle is available as JSON and YAML", async () => {
  const document = await readBundle();
  expect(JSON.parse(await read("openapi.json"))).toEqual(document);
  expect(parse(await read("openapi.yaml"))).toEqual({ ...document, "x-generated": expect.any(String) });
});

interface Item {
  name: string;
  item?: Item[];
  request?: { method: string; url: { path: string[] }; body?: { raw: string } };
}

test("the Postman collection has a request for each operation, with the example of the document as body", async () => {
  const collection = JSON.parse(await read("postman.json")) as { item: Item[] };
  const requests = (items: Item[]): Item[] =>
    items.flatMap((item) => (item.request ? [item] : requests(item.item ?? [])));
  const found = requests(collection.item).map(
    ({ request }) => `${request?.method} /${request?.url.path.join("/").replaceAll(/:(\w+)/g, "{$1}")}`,
  );
  const expected = operationsOf(await readBundle()).map(
    ({ method, path }) => `${method.toUpperCase()} ${path}`,
  );
  expect(found.sort()).toEqual(expected.sort());
  const send = requests(collection.item).find(
    ({ request }) => request?.method === "POST" && request.url.path.at(-1) === "emails",
  );
  expect(JSON.parse(send?.request?.body?.raw ?? "")).toMatchObject({ from: "hello@bakery.example" });
});
