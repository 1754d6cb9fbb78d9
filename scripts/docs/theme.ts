import { cp, mkdir, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { getColorContrast, type StarlightExpressiveCodeOptions } from "@astrojs/starlight/expressive-code";
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

/** Colors of code, first of what is read on a dark surface, then on a light one. */
const codePalettes = {
  dark: {
    text: "#ece8e1",
    soft: "#aaa49b",
    key: "#8fd3dc",
    string: "#e9c585",
    keyword: "#d3b8f2",
    number: "#f2a98f",
    background: "#0f0e0d",
  },
  light: {
    text: "#1d1c1a",
    soft: "#66625c",
    key: "#0b5f6b",
    string: "#7a4f08",
    keyword: "#6a3fa0",
    number: "#a03a20",
    background: "#ffffff",
  },
} as const;

/** The scopes of TextMate grammars, which all languages share. */
const scopes = {
  soft: ["comment", "punctuation.definition.comment"],
  string: ["string", "punctuation.definition.string", "markup.inline.raw"],
  keyword: [
    "keyword",
    "storage",
    "support.type.primitive",
    "entity.name.command",
    "entity.name.function.shell",
  ],
  number: ["constant.numeric", "constant.language", "constant.character.escape"],
  key: [
    "support.type.property-name",
    "support.type.property-name punctuation",
    "meta.object-literal.key",
    "entity.name.tag",
    "variable.parameter.function.named",
  ],
} as const;

const theme = (type: keyof typeof codePalettes) => ({
  name: `email-api-${type}`,
  type,
  colors: {
    "editor.background": codePalettes[type].background,
    "editor.foreground": codePalettes[type].text,
  },
  settings: Object.entries(scopes).map(([name, scope]) => ({
    scope: [...scope],
    settings: { foreground: codePalettes[type][name as keyof typeof scopes] },
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
const codeColors = (): string => {
  const names = ["key", "string", "keyword", "number"] as const;
  const { dark, light } = codePalettes;
  const lines = names.flatMap((name) => [
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
  // Long lines wrap: keyboard users cannot scroll a code block.
  defaultProps: { wrap: true, frame: "none" },
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
