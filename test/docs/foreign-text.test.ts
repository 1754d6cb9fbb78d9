import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { publishedDocument } from "../../scripts/docs/config/document.ts";
import { siteConfig } from "../../scripts/docs/config/site-config.ts";
import { pagesOf } from "../../scripts/docs/page.ts";
import { composeSite } from "../../scripts/docs/site.ts";
import { withoutMarkup } from "../../scripts/docs/text/foreign.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test.each([
  ["a <script>alert(1)</script> b", "a alert(1) b"],
  ["<<b>script>alert(1)", "&lt;script>alert(1)"],
  ["<img src=x onerror=alert(1)", "&lt;img src=x onerror=alert(1)"],
  ["<!-- x --><?y?>z", "z"],
  ["[a](javascript:alert(1))", "[a](#))"],
  ["[a](  JaVaScRiPt:x)", "[a](  #)"],
  ["[a](java&#115;cript:x)", "[a](#)"],
  ["[a](<javascript:x>)", "[a]()"],
  ["![a](data:text/html,x)", "![a](#)"],
  ["[a]: javascript:x", "[a]: #"],
  ["<javascript:x> <vbscript:x>", " "],
  ["`<kept>` and <https://a.example>", "`<kept>` and <https://a.example>"],
  ['```json\n{"a": "<b>"}\n```', '```json\n{"a": "<b>"}\n```'],
  [
    "[a](site:errors#x) [b](https://a.example/?c=1&d=2) [c](/d) [e](#f)",
    "[a](site:errors#x) [b](https://a.example/?c=1&d=2) [c](/d) [e](#f)",
  ],
  // What only looks like code to some readers.
  ["\\`<script>\\`", "\\`\\`"],
  ["`` <script>` x", "`` ` x"],
  ["~~~\n```\n~~~\n<script>\n```", "~~~\n```\n~~~\n\n```"],
  ["a\n    ```\n<script>\n    ```", "a\n    ```\n\n    ```"],
  ["1. ```\n   ```\n<script>\n   ```", "1. ```\n   ```\n\n   ```"],
  ["```js a\n```\n<script>\n```", "```js a\n```\n\n```"],
  ["a\u2028```\n\n<script>\n\n```", "a\u2028```\n\n\n\n```"],
  ["| ` | <script> | ` |", "| ` |  | ` |"],
  ["| ` | [a](javascript:x) | ` |", "| ` | [a](#) | ` |"],
  ["| ` | x ` <script> ` | `", "| ` | x `  ` | `"],
  ["a ` b\nc ` <script> ` d", "a ` b\nc `  ` d"],
  ["a ` \r\r <script> `", "a ` \r\r  `"],
  ["<https://a.example/`><script>`", "<https://a.example/`>`"],
  ["WWW.example/`<script>`", "WWW.example/``"],
  ["<https://a.example/`<script>`", "&lt;https://a.example/``"],
  ["https://a.example/`<script>`", "https://a.example/``"],
  ["<mailto:`><script>`", "&lt;mailto:`><script>`"],
  ["\\<b>`[a](javascript:x) `", "\\`[a](#) `"],
  ["[a](b[c](javascript:x))", "[a](b[c](#))"],
  ["> [a](\n> javascript:x)", "> [a](\n> #)"],
  ["[a]\n\n> [a]:\n> javascript:x", "[a]\n\n> [a]:\n> #"],
])("%j becomes %j", (text, expected) => {
  expect(withoutMarkup(text)).toBe(expected);
});

/** The document with an overlay, and all of its pages as texts. */
async function published(update: object, title?: string) {
  const folder = temporaryFolder();
  const overlay = join(folder, "overlay.json");
  const actions = [{ target: "$.paths['/api/v1/me'].get", update }];
  writeFileSync(overlay, JSON.stringify({ overlay: "1.0.0", info: { title: "a", version: "1" }, actions }));
  const config = siteConfig({ overlay, ...(title !== undefined && { title }) });
  const document = await publishedDocument(config);
  return { document, config };
}

test("raw HTML and links that run something are removed from an overlay", async () => {
  const { document } = await published({
    summary: "Me <img src=x onerror=alert(1)>[a](javascript:b)",
    description: "A <script>alert(1)</script> [b](javascript:alert(1)).",
  });
  const { summary, description } = document.paths["/api/v1/me"]?.get ?? {};
  expect([summary, description]).toEqual(["Me [a](#)", "A alert(1) [b](#))."]);
});

test("a name with markup is an error", async () => {
  const responses = { '200" onload="x': { description: "a" } };
  await expect(published({ responses })).rejects.toMatchObject({
    message: `the overlay has the name ${JSON.stringify('200" onload="x')}`,
    exitCode: 2,
  });
});

test("the title of the configuration is text", async () => {
  const { document, config } = await published({ summary: "Me" }, "</title><script>alert(1)</script>");
  const pages = pagesOf(await composeSite(document, config));
  expect(pages.filter(({ text }) => text.includes("<script>alert")).map(({ path }) => path)).toEqual([]);
});
