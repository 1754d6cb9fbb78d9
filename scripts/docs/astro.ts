import { join } from "node:path";
import starlight from "@astrojs/starlight";
import type { AstroInlineConfig } from "astro";
import { passthroughImageService } from "astro/config";
import type { OpenApiDocument } from "../document/types.ts";
import type { SiteConfig } from "./config.ts";
import type { Site } from "./site.ts";

/** The configuration of Astro and Starlight. */
export const astroConfig = (
  document: OpenApiDocument,
  site: Site,
  { stage, config: { base, siteUrl } }: { stage: string; config: SiteConfig },
): AstroInlineConfig => ({
  configFile: false,
  root: stage,
  base,
  ...(siteUrl !== undefined && { site: new URL(siteUrl).origin }),
  outDir: join(stage, "built"),
  cacheDir: join(stage, ".cache"),
  logLevel: "error",
  // Static file servers serve folders without a redirect.
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
      // Long lines wrap: keyboard users cannot scroll a code block.
      expressiveCode: {
        defaultProps: { wrap: true, frame: "none" },
        styleOverrides: { borderRadius: "0.4rem" },
      },
      sidebar: site.sections.map(({ title, pages }) => ({
        label: title,
        collapsed: title === "Objects",
        items: pages.map(({ label, title, path, method }) => ({
          label: label ?? title,
          link: `/${path}/`,
          ...(method && { badge: { text: method.toUpperCase(), class: `method method-${method}` } }),
        })),
      })),
    }),
  ],
});
