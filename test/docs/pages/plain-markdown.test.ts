import { expect, test } from "vitest";
import { plainMarkdown } from "../../../scripts/docs/text-files.ts";

test.each([
  [
    '<p class="endpoint"><span data-method="GET" data-path="/api/v1/me"></span><code>GET https://api.example.com/api/v1/me</code></p>',
    "`GET /api/v1/me`",
  ],
  [
    '- **`to`**<a id="body-to" class="self" href="#body-to" aria-label="Link to to"></a> *array of strings* <span class="chip required">required</span> <span class="chip">at most 50 items</span>',
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
    '- <a id="a"></a>**a**\n\n  Requirements: A-1',
  ],
])("layout becomes plain Markdown: %j", (text, plain) => {
  expect(plainMarkdown(text)).toBe(plain);
});

test("code blocks stay as they are", () => {
  const text = "- A list\n\n  ```html\n  <div>\n\n\n  <small>x</small>\n  </div>\n  ```\n\nEnd";
  expect(plainMarkdown(text)).toContain("<div>\n\n\n  <small>x</small>\n  </div>");
});
