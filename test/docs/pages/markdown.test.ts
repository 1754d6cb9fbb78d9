import { expect, test } from "vitest";
import { siteConfig } from "../../../scripts/docs/config/site-config.ts";
import { composeSite } from "../../../scripts/docs/site.ts";
import { markUnspecified } from "../../../scripts/docs/text/requirement-notes.ts";
import { plainMarkdown, textFiles } from "../../../scripts/docs/text-files.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";

test.each([
  [
    '<p class="endpoint"><span data-method="GET" data-path="/api/v1/me"></span><code>GET https://api.example.com/api/v1/me</code></p>',
    "`GET /api/v1/me`",
  ],
  [
    '- **`to`**<a id="body-to" class="self" href="#body-to" aria-label="Link to to"></a> *array of strings* <span class="hidden-text">·</span> <span class="chip required">required</span> <span class="hidden-text">·</span> <span class="chip">at most 50 items</span>',
    '- **`to`**<a id="body-to"></a> *array of strings* · required · at most 50 items',
  ],
  [
    '<div class="tabs">\n<fieldset class="tabbar"><input type="radio"></fieldset>\n\n<div class="tabpanel">\n\n**curl**\n\n</div>\n\n<!-- site only -->\n\n402\n\n<!-- end of site only -->\n\n</div>',
    "**curl**",
  ],
  [
    '<figure class="lifecycle"><svg><title>States</title><desc id="d">From a to b: go.</desc><g></g></svg></figure>',
    "From a to b: go.",
  ],
  [
    '<details class="example">\n<summary>All <code>x</code></summary>\n\nText\n\n</details>',
    "**All `x`**\n\nText",
  ],
  [
    '<div class="fields">\n\n- <a id="a"></a>**a**\n\n  <small data-pagefind-ignore>Requirements: A-1</small>\n\n</div>',
    '- <a id="a"></a>**a**',
  ],
  [
    "<!-- markdown only\n**1 header**\n\n- `a`: A.\n-->\n\n<!-- site only -->\n\n<details>\n\n</details>\n\n<!-- end of site only -->",
    "**1 header**\n\n- `a`: A.",
  ],
])("layout becomes plain Markdown: %j", (text, plain) => {
  expect(plainMarkdown(text)).toBe(plain);
});

test("code blocks stay as they are", () => {
  const text = "- A list\n\n  ```html\n  <div>\n\n\n  <small>x</small>\n  </div>\n  ```\n\nEnd";
  expect(plainMarkdown(text)).toContain("<div>\n\n\n  <small>x</small>\n  </div>");
});

const document = await readBundle();
const config = siteConfig();
const files = await textFiles({ document, site: await composeSite(document), config });

test("the Markdown of errors has the operations of each error, and one example of the object", () => {
  const sections = (files.get("errors.md") ?? "").split("\n### ").slice(1);
  expect(sections).toHaveLength(document["x-errors"].length);
  for (const section of sections)
    expect(section).toMatch(/^(All operations|\*\*Operations\.\*\*|An \[error of every path\])/m);
  expect(files.get("errors.md")?.match(/^```json$/gm)).toHaveLength(1);
});

test("the page of limits has those without a size, and no names of rows that only the document has", () => {
  const text = files.get("limits.md") ?? "";
  expect(text).toMatch(/Monthly allowance \| unspecified \| {2}\|.*X-Service-Monthly-Remaining/);
  expect(text).toMatch(/Sending ceiling \| unspecified \| \[429 `send_rejected`\]/);
  expect(text).not.toContain("Name:");
});

test("the page on requests says where pages of results are, and no page of the reference has a gateway", () => {
  expect(files.get("making-requests.md")).toContain("return all entries in one response");
  const names = ["errors", "limits", "idempotency", "making-requests", "operations/send-email"];
  expect(names.filter((name) => /gateway/i.test(files.get(`${name}.md`) ?? "gateway"))).toEqual([]);
});

test("the rules of idempotency have their numbers", () => {
  const text = files.get("idempotency.md");
  expect(text).toContain("a string of at most 256 characters");
  expect(text).toContain("valid for 24 hours");
  expect(text).not.toMatch(/length limit|replay window/);
});

test("the Markdown of an operation has what each response header is, and links each error to what it means", () => {
  const text = files.get("operations/send-email.md") ?? "";
  expect(text).toContain("- `X-Service-Monthly-Quota`: The monthly email allowance of the account.\n");
  expect(text).toContain("- `Retry-After`: The number of seconds to wait before the next request.\n");
  expect(text).toContain("[**409 `send_rejected`**](/errors.md#409-send_rejected)");
});

const note = (text: string): string => `<span class="unspecified-note">${text}</span>`;

test.each([
  ["a sentence of a paragraph", "The subject. ", "The response to an empty one is unspecified.", ""],
  ["one before others", "", "Its fields are unspecified.", " Look up the message."],
  ["one with code that has a dot", "A name. ", "The form of `attachments.0.path` is unspecified.", ""],
  [
    "one in a cell",
    "| a | Size. ",
    "Whether it counts is unspecified.",
    "<br><small>Unspecified: x</small> |",
  ],
  ["one that is a paragraph", "First.\n\n  ", "Its values are unspecified.", "\n\nLast."],
  ["one in a list", "- First. ", "Whether it may be empty is unspecified.", "\n- Second."],
])("a sentence on what is unspecified is marked: %s", (_, before, sentence, after) => {
  expect(markUnspecified(`${before}${sentence}${after}`)).toBe(`${before}${note(sentence)}${after}`);
});

test.each([
  "```json\nThe type is unspecified.\n```",
  '<small><span class="open">Unspecified: [OPEN-1](site:unspecified#OPEN-1)</span></small>',
  "Read [what is open](site:unspecified).\nOther text.",
  "## Unspecified behavior",
  "The account. The fields are unspecified.",
])("code, links, headings, and what an object has no other words for, stay as they are: %j", (text) => {
  expect(markUnspecified(text)).toBe(text);
});
