import { join } from "node:path";
import { expect, test } from "vitest";
import { serveSite } from "../../../scripts/docs/serve.ts";
import { withFiles } from "../config/files.ts";

test("a site in a folder with the name public is served", async () => {
  await withFiles({ "public/index.html": "<p>Overview</p>" }, async (folder) => {
    const options = { base: "/mail/", port: 0, host: "127.0.0.1" };
    const server = await serveSite({ folder: join(folder, "public"), ...options });
    expect(await (await fetch(server.url)).text()).toContain("Overview");
    await server.close();
  });
});

test("a file with a hash in its name is cached, a page is not", async () => {
  const files = { "public/index.html": "<p>Overview</p>", "public/_astro/sans.a1b2.woff2": "font" };
  await withFiles(files, async (folder) => {
    const options = { base: "/mail/", port: 0, host: "127.0.0.1" };
    const server = await serveSite({ folder: join(folder, "public"), ...options });
    const cachingOf = async (path: string) =>
      (await fetch(`${server.url}${path}`)).headers.get("cache-control");
    expect(await cachingOf("_astro/sans.a1b2.woff2")).toContain("immutable");
    expect(await cachingOf("")).not.toContain("immutable");
    await server.close();
  });
});
