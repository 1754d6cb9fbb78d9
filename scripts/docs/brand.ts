import { cp, mkdir, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { codeColors } from "./code-theme.ts";
import type { SiteConfig } from "./config/site-config.ts";

/** The name of the publisher's logo on the site; undefined without one. */
export const logoFile = ({ logo }: SiteConfig): string | undefined =>
  logo && `logo${extname(logo).toLowerCase()}`;

/** The name of the social image on the site; undefined without one. */
export const socialImageFile = ({ socialImage }: SiteConfig): string | undefined =>
  socialImage && `social${extname(socialImage).toLowerCase()}`;

/** Writes the images of the publisher, and the style sheet with the colors of code and the accent colors. */
export async function writeBrand(config: SiteConfig, folder: string): Promise<void> {
  const images = [
    [config.logo, logoFile(config)],
    [config.socialImage, socialImageFile(config)],
  ];
  await mkdir(join(folder, "public"), { recursive: true });
  for (const [source, name] of images)
    if (source !== undefined && name !== undefined) await cp(source, join(folder, "public", name));
  await mkdir(join(folder, "src/styles"), { recursive: true });
  await writeFile(join(folder, "src/styles/brand.css"), codeColors() + accentStyles(config));
}

const accentStyles = ({ accent }: SiteConfig): string =>
  accent === undefined
    ? ""
    : `:root {
  --accent: light-dark(${accent.light}, ${accent.dark});
  --accent-tint: light-dark(color-mix(in srgb, ${accent.light} 10%, white), color-mix(in srgb, ${accent.dark} 18%, black));
  --request-accent: ${accent.dark};
}
`;
