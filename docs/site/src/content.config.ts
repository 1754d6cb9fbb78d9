import { defineCollection } from "astro:content";
import { docsLoader } from "@astrojs/starlight/loaders";
import { docsSchema } from "@astrojs/starlight/schema";
import { z } from "astro/zod";

/** What the components in `src/components` need to know of a page. */
const extend = z.object({
  /** The line above the title. */
  kicker: z.string().optional(),
  /** The link of the header that the page belongs to. */
  area: z.string().optional(),
  /** The URL of the page as Markdown. */
  markdown: z.string().optional(),
  home: z.boolean().default(false),
  /** Whether the page has a request that the sandbox can be sent. */
  sandbox: z.boolean().default(false),
  /** Whether the page has requirements to show. */
  requirements: z.boolean().default(false),
  /** The anchors of sections that the sidebar omits. */
  unlisted: z.array(z.string()).default([]),
});

export const collections = {
  docs: defineCollection({ loader: docsLoader(), schema: docsSchema({ extend }) }),
};
