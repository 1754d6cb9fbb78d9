import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { parse } from "yaml";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";

const read = (name: string): Promise<string> => readFile(join(inject("siteFolder"), name), "utf8");

test("every page has a Markdown twin, which its head names and llms.txt lists", async () => {
  const list = await read("llms.txt");
  for (const address of inject("pagePaths")) {
    const twin = `${address || "index"}.md`;
    expect(await read(twin), twin).toMatch(/^# .+\n/);
    const html = await read(join(address, "index.html"));
    expect(html).toContain(`href="/reference/${twin}"`);
    if (address !== "") expect(list).toContain(`(/reference/${twin})`);
  }
});

test("links of a Markdown twin lead to twins that are there", async () => {
  const twins = inject("pagePaths").map((address) => `${address || "index"}.md`);
  const texts = await Promise.all(twins.map(read));
  const targets = texts.flatMap((text) =>
    [...text.matchAll(/\]\(\/reference\/([^)#]+)/g)].map(([, target]) => String(target)),
  );
  expect(targets.length).toBeGreaterThan(100);
  const files = ["llms.txt", "llms-full.txt", "openapi.json", "openapi.yaml", "postman.json", "redoc.html"];
  expect(targets.filter((target) => !twins.includes(target) && !files.includes(target))).toEqual([]);
});

test("llms-full.txt has the text of every page", async () => {
  const whole = await read("llms-full.txt");
  for (const address of inject("pagePaths")) expect(whole).toContain(await read(`${address || "index"}.md`));
});

test("the bundle is there as JSON and as YAML", async () => {
  const document = await readBundle();
  expect(JSON.parse(await read("openapi.json"))).toEqual(document);
  expect(parse(await read("openapi.yaml"))).toEqual({ ...document, "x-generated": expect.any(String) });
});

interface Item {
  name: string;
  item?: Item[];
  request?: { method: string; url: { path: string[] }; body?: { raw: string } };
}

test("the Postman collection has a request for each operation, with the example of the document as its body", async () => {
  const collection = JSON.parse(await read("postman.json")) as { item: Item[] };
  const requests = (items: Item[]): Item[] =>
    items.flatMap((item) => (item.request ? [item] : requests(item.item ?? [])));
  const found = requests(collection.item).map(
    ({ request }) => `${request?.method} /${request?.url.path.join("/").replaceAll(/:(\w+)/g, "{$1}")}`,
  );
  const wanted = operationsOf(await readBundle()).map(
    ({ method, path }) => `${method.toUpperCase()} ${path}`,
  );
  expect(found.sort()).toEqual(wanted.sort());
  const send = requests(collection.item).find(
    ({ request }) => request?.method === "POST" && request.url.path.at(-1) === "emails",
  );
  expect(JSON.parse(send?.request?.body?.raw ?? "")).toMatchObject({ from: "shop@mail.example.com" });
});
