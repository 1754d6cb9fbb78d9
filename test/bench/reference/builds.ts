import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { generatedFolder } from "../../../scripts/common/paths.ts";
import { buildSite } from "../../../scripts/docs/build.ts";
import { siteConfig } from "../../../scripts/docs/config/site-config.ts";

const run = promisify(execFile);

/** A reference of the same OpenAPI document. */
export interface Reference {
  name: string;
  version: string;
  /** The folder of the built site. */
  folder: string;
  seconds: number;
}

/** The packages that are compared. They are installed into a temporary folder. */
const packages = {
  starlight: ["astro@7.3.5", "@astrojs/starlight@0.42.4", "starlight-openapi@0.26.1"],
  scalar: ["@scalar/api-reference@1.72.1"],
};

async function install(folder: string, names: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  await cp(join(generatedFolder, "openapi.json"), join(folder, "openapi.json"));
  await run("npm", ["install", "--no-audit", "--no-fund", "--silent", ...names], { cwd: folder });
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

export async function thisSite(folder: string): Promise<Reference> {
  const out = join(folder, "site");
  const seconds = await timed(() => buildSite(siteConfig({ out })));
  return { name: "This site", version: "1.0.0", folder: out, seconds };
}

const astroConfig = `import starlight from "@astrojs/starlight";
import starlightOpenAPI, { openAPISidebarGroups } from "starlight-openapi";
export default {
  integrations: [
    starlight({
      title: "Email API",
      plugins: [starlightOpenAPI([{ base: "api", schema: "./openapi.json" }])],
      sidebar: openAPISidebarGroups,
    }),
  ],
};
`;
const contentConfig = `import { docsLoader } from "@astrojs/starlight/loaders";
import { docsSchema } from "@astrojs/starlight/schema";
import { defineCollection } from "astro:content";
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`;

/** The plugin with the configuration of its guide. */
export async function starlightPlugin(folder: string): Promise<Reference> {
  await install(folder, packages.starlight);
  await mkdir(join(folder, "src/content/docs"), { recursive: true });
  await writeFile(join(folder, "astro.config.mjs"), astroConfig);
  await writeFile(join(folder, "src/content.config.ts"), contentConfig);
  await writeFile(
    join(folder, "src/content/docs/index.md"),
    "---\ntitle: Email API\n---\n\nThe reference.\n",
  );
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };
  const seconds = await timed(() => run("npx", ["astro", "build"], { cwd: folder, env }));
  return { name: "starlight-openapi", version: "0.26.1", folder: join(folder, "dist"), seconds };
}

const page = `<!doctype html>
<html lang="en">
  <head><title>Email API</title><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
  <body>
    <div id="app"></div>
    <script src="standalone.js"></script>
    <script>Scalar.createApiReference("#app", { url: "openapi.json" });</script>
  </body>
</html>
`;

/** Scalar as its guide shows it, with its script on the same host. There is no build. */
export async function scalar(folder: string): Promise<Reference> {
  await install(folder, packages.scalar);
  const out = join(folder, "dist");
  await mkdir(out, { recursive: true });
  const script = "node_modules/@scalar/api-reference/dist/browser/standalone.js";
  await writeFile(join(out, "standalone.js"), await readFile(join(folder, script)));
  await cp(join(folder, "openapi.json"), join(out, "openapi.json"));
  await writeFile(join(out, "index.html"), page);
  return { name: "Scalar", version: "1.72.1", folder: out, seconds: 0 };
}
