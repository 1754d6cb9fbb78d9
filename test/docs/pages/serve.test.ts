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
