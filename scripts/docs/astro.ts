import { join } from "node:path";
import starlight from "@astrojs/starlight";
import type { AstroInlineConfig } from "astro";
import { passthroughImageService } from "astro/config";
import type { OpenApiDocument } from "../document/types.ts";
import type { Page } from "./page.ts";
import type { Site } from "./site.ts";

/** How Astro and Starlight build the site. */
export function astroConfig(
  document: OpenApiDocument,
  site: Site,
  { stage, base }: { stage: string; base: string },
): AstroInlineConfig {
  return {
    configFile: false,
    root: stage,
    base,
    outDir: join(stage, "built"),
    cacheDir: join(stage, ".cache"),
    logLevel: "error",
    // Pages are linked with a slash at their end: servers of files need no redirect.
    trailingSlash: "always",
    image: { service: passthroughImageService() },
    devToolbar: { enabled: false },
    integrations: [
      starlight({
        title: document.info.title,
        favicon: "/favicon.svg",
        customCss: ["./src/styles/site.css"],
        head: [{ tag: "script", attrs: { type: "module", src: `${base}sample-tabs.js` } }],
        tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
        // Long lines wrap: a code block that scrolls is out of reach for whoever has only a keyboard.
        expressiveCode: {
          defaultProps: { wrap: true, frame: "none" },
          styleOverrides: { borderRadius: "0.4rem" },
        },
        sidebar: site.sections.map(({ title, pages }) => ({
          label: title,
          collapsed: title === "Objects",
          items: pages.map(sidebarLink),
        })),
      }),
    ],
  };
}

const sidebarLink = ({ title, label, address }: Page): { label: string; link: string } => ({
  label: label ?? title,
  link: `/${address}/`,
});
