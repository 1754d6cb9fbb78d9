import { cp, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { getColorContrast, type StarlightExpressiveCodeOptions } from "@astrojs/starlight/expressive-code";
import codeColors from "../../docs/site/code-colors.json" with { type: "json" };
import type { SiteConfig } from "./config/site-config.ts";

/** The names of the publisher's images on the site; undefined without one. */
export const logoFile = ({ logo }: SiteConfig) => imageFile("logo", logo);
export const socialImageFile = ({ socialImage }: SiteConfig) => imageFile("social", socialImage);

const imageFile = (name: string, source?: string) => source && `${name}${extname(source).toLowerCase()}`;

/** Writes the images of the publisher, and the style sheet with the colors of code and the accent colors. */
export async function writeBrand(config: SiteConfig, folder: string): Promise<void> {
  for (const [name, source] of Object.entries({ logo: config.logo, social: config.socialImage }))
    if (source !== undefined) await cp(source, join(folder, "public", imageFile(name, source) ?? ""));
  await writeFile(join(folder, "src/styles/brand.css"), editorColors() + accentStyles(config));
}

const accentStyles = ({ colors }: SiteConfig): string =>
  colors === undefined
    ? ""
    : `:root {
  --accent: light-dark(${colors.accent}, ${colors.accentDark});
  --accent-tint: light-dark(color-mix(in srgb, ${colors.accent} 10%, white), color-mix(in srgb, ${colors.accentDark} 18%, black));
  --request-accent: ${colors.accentDark};
}
`;

/** Notes on accent colors in which text is hard to read: WCAG 2.2 requires a contrast of 4.5. */
export function contrastNotes({ colors }: SiteConfig): string[] {
  if (colors === undefined) return [];
  const pages = [
    ["accent", colors.accent, "#ffffff", "white"],
    ["accentDark", colors.accentDark, "#171614", "a dark page"],
  ] as const;
  return pages.flatMap(([name, color, background, page]) => {
    const ratio = getColorContrast(color, background);
    if (ratio >= 4.5) return [];
    return [`colors.${name} ${color} has a contrast of ${ratio.toFixed(1)} with ${page}: text needs 4.5`];
  });
}

/** The colors of what is read on a dark or a light surface, by scopes of TextMate grammars, which all languages share. */
const theme = (type: "dark" | "light") => ({
  name: `email-api-${type}`,
  type,
  colors: { "editor.background": codeColors[type].background, "editor.foreground": codeColors[type].text },
  settings: Object.entries(codeColors.scopes).map(([name, scope]) => ({
    scope,
    settings: { foreground: codeColors[type][name as keyof typeof codeColors.scopes] },
  })),
});

/** The names of JSON in the quoted body of a curl request have their color. */
const jsonInShell = {
  name: "json-in-shell",
  scopeName: "json-in-shell.injection",
  injectTo: ["source.shell"],
  injectionSelector: "L:string.quoted.single.shell",
  patterns: [{ match: '"[^"]*"(?=\\s*:)', name: "support.type.property-name.json" }],
  repository: {},
};

/** The same colors for code that is edited in the page: of the scheme, and on the dark surface of a request. */
const editorColors = (): string => {
  const { dark, light } = codeColors;
  const lines = (["key", "string", "keyword", "number"] as const).flatMap((name) => [
    `  --code-${name}: light-dark(${light[name]}, ${dark[name]});`,
    `  --request-${name}: ${dark[name]};`,
  ]);
  return `:root {\n${lines.join("\n")}\n}\n`;
};

/** How code blocks look. Which of the two themes applies is decided in panels.css: a request is always dark. */
export const codeTheme: StarlightExpressiveCodeOptions = {
  themes: [theme("dark"), theme("light")] as unknown as NonNullable<StarlightExpressiveCodeOptions["themes"]>,
  shiki: { langs: [jsonInShell] },
  // Copied code is indented as it was written: gofmt wants tabs.
  tabWidth: 0,
  // The contrast of these colors is checked.
  minSyntaxHighlightingColorContrast: 0,
  // Long lines wrap, indented: keyboard users cannot scroll a code block.
  defaultProps: { wrap: true, hangingIndent: 2, frame: "none" },
  styleOverrides: {
    borderRadius: "0",
    borderWidth: "0",
    codeBackground: "transparent",
    codeFontFamily: "var(--mono)",
    codeFontSize: "var(--size-code)",
    codeLineHeight: "1.65",
    codePaddingBlock: "0.75rem",
    codePaddingInline: "1rem",
    frames: {
      frameBoxShadowCssValue: "none",
      inlineButtonForeground: "var(--soft)",
      inlineButtonBorder: "transparent",
      inlineButtonBackground: "currentColor",
    },
  },
};
