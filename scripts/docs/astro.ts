import { join } from "node:path";
import starlight from "@astrojs/starlight";
import type { AstroInlineConfig } from "astro";
import { passthroughImageService } from "astro/config";
import type { SiteVersion } from "./page.ts";
import { metaWeights } from "./search/keywords.ts";
import { faviconOf, siteHead } from "./site-data.ts";
import { codeTheme } from "./theme.ts";

/** The components of Starlight that docs/site replaces. */
const components = ["Head", "Header", "Sidebar", "PageFrame", "PageTitle", "TwoColumnContent", "Footer"];

const styles = [
  ...["base", "layout", "content", "operation", "panels", "tables", "home", "narrow", "menus"],
  "brand",
];

const fonts = ["@fontsource-variable/instrument-sans", "@fontsource-variable/jetbrains-mono"];

export const astroConfig = ({ document, site, config }: SiteVersion, stage: string): AstroInlineConfig => ({
  configFile: false,
  root: stage,
  base: config.base,
  ...(config.siteUrl !== undefined && { site: new URL(config.siteUrl).origin }),
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
      favicon: faviconOf(config),
      head: siteHead(document, config),
      customCss: [
        ...fonts.map((name) => `${name}/wght.css`),
        ...styles.map((name) => `./src/styles/${name}.css`),
      ],
      components: Object.fromEntries(components.map((name) => [name, `./src/components/${name}.astro`])),
      // The sidebar lists the sections of the page.
      tableOfContents: false,
      pagefind: { ranking: { metaWeights } },
      expressiveCode: codeTheme,
      sidebar: site.sections.map(({ title, pages, collapsed = false }) => ({
        label: title,
        collapsed,
        items: pages
          .filter(({ isHelper = false }) => !isHelper)
          .map(({ label, title, path, method }) => ({
            label: label ?? title,
            link: `/${path}/`,
            ...(method !== undefined && { badge: { text: method.toUpperCase(), class: method } }),
          })),
      })),
    }),
  ],
});
