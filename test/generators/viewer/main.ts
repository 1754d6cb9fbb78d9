import { readFileSync } from "node:fs";
import { join } from "node:path";
import { operationsOf } from "../../../scripts/document/operations.ts";
import type { OpenApiDocument } from "../../../scripts/document/types.ts";
import { openBrowser } from "../../sandbox/pages/browser.ts";

/** The script of each viewer in its package, and what renders a document. */
const viewers = {
  redoc: {
    script: "redoc/bundles/redoc.standalone.js",
    render: 'Redoc.init("document.json", {}, viewer)',
  },
  "swagger-ui": {
    script: "swagger-ui-dist/swagger-ui-bundle.js",
    render: 'SwaggerUIBundle({ url: "document.json", domNode: viewer, docExpansion: "full" })',
  },
  scalar: {
    script: "@scalar/api-reference/dist/browser/standalone.js",
    render: 'Scalar.createApiReference(viewer, { url: "document.json", defaultOpenAllTags: true })',
  },
};

const host = "http://viewer.example";

/**
 * Opens a document in a viewer that is installed in the current folder. Other hosts cannot be reached.
 *
 * @returns the errors of the page, and the operations that it does not show
 */
async function faultsOf(viewer: keyof typeof viewers, file: string): Promise<string[]> {
  const { script, render } = viewers[viewer];
  const files = new Map([
    [
      "/",
      {
        contentType: "text/html; charset=utf-8",
        body: `<div id="viewer"></div><script src="viewer.js"></script><script>${render}</script>`,
      },
    ],
    [
      "/viewer.js",
      {
        contentType: "text/javascript; charset=utf-8",
        body: readFileSync(join("node_modules", script), "utf8"),
      },
    ],
    ["/document.json", { contentType: "application/json", body: readFileSync(file, "utf8") }],
  ]);
  const document: OpenApiDocument = JSON.parse(readFileSync(file, "utf8"));
  const faults: string[] = [];
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 6000 } });
    page.on("pageerror", ({ message }) => faults.push(message));
    page.on("console", (message) => {
      if (message.type() === "error" && message.location().url.startsWith(host)) faults.push(message.text());
    });
    await page.route("**", (route) => {
      const { origin, pathname } = new URL(route.request().url());
      const found = origin === host ? files.get(pathname) : undefined;
      return found === undefined ? route.abort() : route.fulfill(found);
    });
    await page.goto(host);
    const summaries = operationsOf(document).map(({ operation }) => operation.summary);
    const shown = `${JSON.stringify(summaries)}.every((one) => document.body.innerText.includes(one))`;
    await page
      .waitForFunction(shown, undefined, { timeout: 30_000 })
      .catch(() => faults.push("not all operations are shown"));
    const text = await page.locator("body").innerText();
    faults.push(...(text.match(/^(Resolver error|Could not) .*/gm) ?? []));
    return faults;
  } finally {
    await browser.close();
  }
}

const [viewer, ...documents] = process.argv.slice(2);
for (const file of documents) {
  const faults = await faultsOf(viewer as keyof typeof viewers, file);
  for (const fault of faults) console.error(`${viewer}, ${file}: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
