import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../../scripts/common/paths.ts";

/** A guide, or the README. */
export interface Page {
  /** `docs/sending.md` */
  name: string;
  text: string;
}

/** A code block. */
export interface Block {
  language: string;
  code: string;
  /** The number of its first line, from 1. */
  line: number;
  /** The next block under the same heading. */
  next: Block | undefined;
}

const guides = (await readdir(join(root, "docs"))).filter((name) => name.endsWith(".md"));
const names = ["README.md", "skills/email-api/SKILL.md", ...guides.map((name) => `docs/${name}`)];

export const pages: Page[] = await Promise.all(
  names.map(async (name) => ({
    name,
    text: await readFile(join(root, name), "utf8"),
  })),
);

export function blocksOf({ text }: Page): Block[] {
  const found = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  const blocks = found.map(
    ({ 1: language = "", 2: code = "", index }): Block => ({
      language,
      code,
      line: text.slice(0, index).split("\n").length + 1,
      next: undefined,
    }),
  );
  for (const [index, block] of blocks.entries()) {
    const end = (found[index]?.index ?? 0) + (found[index]?.[0].length ?? 0);
    const between = text.slice(end, found[index + 1]?.index);
    if (!/^#/m.test(between)) block.next = blocks[index + 1];
  }
  return blocks;
}
