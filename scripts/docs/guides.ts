import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { UserError } from "../../lib/user-error.ts";
import { root } from "../paths.ts";
import type { Page } from "./page.ts";

/** The guides in the order in which they are listed; a file of `docs/` that is not here ends the build. */
const order = [
  "quick-start",
  "sending",
  "scheduling",
  "batches",
  "newsletter",
  "errors-and-retries",
  "testing",
  "sandbox",
  "proving-a-server",
  "client",
  "generating-a-client",
  "reading-the-contract",
  "versioning",
  "maintaining",
];

/** Guides that do not stand in `docs/`, by name, and what lists of pages call them. */
const files: Record<string, string> = { client: "client/README.md" };
const labels: Record<string, string> = { client: "The TypeScript client" };

/** Files of `docs/` that have a place of their own on the site. */
const elsewhere: Record<string, string> = { index: "", changelog: "changelog" };

/** The pages written by hand: the first page, the guides, the changelog. */
export interface WrittenPages {
  first: Page;
  guides: Page[];
  changelog: Page;
}

/** @throws Failure that names a guide which is missing, has no place in the list, or no title */
export async function readGuides(): Promise<WrittenPages> {
  const written = (await readdir(join(root, "docs"))).filter((file) => file.endsWith(".md"));
  const names = written.map((file) => file.slice(0, -".md".length));
  const unlisted = names.find((name) => !order.includes(name) && elsewhere[name] === undefined);
  if (unlisted !== undefined)
    throw new UserError(`docs/${unlisted}.md has no place on the site`, {
      hint: "List it in scripts/docs/guides.ts.",
    });
  const [first, changelog, ...guides] = await Promise.all(["index", "changelog", ...order].map(readGuide));
  return { first: first as Page, changelog: changelog as Page, guides };
}

async function readGuide(name: string): Promise<Page> {
  const file = files[name] ?? `docs/${name}.md`;
  const text = await readFile(join(root, file), "utf8").catch((cause: unknown) => {
    throw new UserError(`there is no ${file}`, {
      hint: "Write it, or take it off scripts/docs/guides.ts.",
      cause,
    });
  });
  const [, title, description, rest] = /^# (.+)\n\n((?:.+\n)+)([\s\S]*)$/.exec(text) ?? [];
  if (title === undefined || description === undefined)
    throw new UserError(`${file} does not begin with a title and a paragraph that says what it is for`);
  return {
    address: elsewhere[name] ?? `guides/${name}`,
    title,
    ...(labels[name] === undefined ? {} : { label: labels[name] }),
    description: plain(description),
    text: siteLinks(withoutComments(`${description}\n${rest ?? ""}`), file),
  };
}

/** The words of a paragraph alone. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<!--.*?-->/g, "")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Comments name the limits that numbers come from; readers need none. */
const withoutComments = (text: string): string => text.replaceAll(/<!--.*?-->/g, "");

/** Blocks of code and pieces of it: there a link is none. */
const code = /^```[\s\S]*?^```$|`[^`\n]+`/gm;

/** Links between files of the project, as links of the site; what is no page stays a name. */
function siteLinks(text: string, file: string): string {
  const link = /\[([^\]]*)\]\((?!https?:|mailto:|site:|#)([^)#\s]*)(#[^)\s]*)?\)/g;
  const either = new RegExp(`${code.source}|${link.source}`, "gm");
  return text.replaceAll(either, (whole, words: string | undefined, target: string, anchor = "") => {
    if (words === undefined) return whole;
    const path = posix.normalize(posix.join(posix.dirname(file), target));
    const name =
      Object.keys(files).find((key) => files[key] === path) ?? /^docs\/([\w-]+)\.md$/.exec(path)?.[1];
    if (name !== undefined && (order.includes(name) || elsewhere[name] !== undefined))
      return `[${words}](site:${elsewhere[name] ?? `guides/${name}`}${anchor})`;
    if (name === undefined && existsSync(join(root, path))) return words;
    throw new UserError(`${file}: the link ${whole} leads to nothing that is there`);
  });
}
