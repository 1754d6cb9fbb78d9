import { expect, test } from "vitest";
import { plainMarkdown } from "../../../scripts/docs/plain-markdown.ts";

test.each([
  [
    '<p class="endpoint"><code><b>GET</b> /api/v1/me</code> <code data-pagefind-weight="10">getMe</code></p>',
    "`GET /api/v1/me` (`getMe`)",
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
