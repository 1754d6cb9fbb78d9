import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/common/paths.ts";

/** An example of a guide: a program of its own. */
export interface Example {
  heading: string;
  code: string;
  /** The name of the file that it is put into. */
  file: string;
}

export const readme = await readFile(join(root, "client/README.md"), "utf8");

/** The first block of code below each heading. */
export const examplesIn = (text: string, name: string): Example[] =>
  [...text.matchAll(/^##+ (.+)\n(?:(?!^##+ )[\s\S])*?^```ts\n([\s\S]*?)^```/gm)].map(
    ([, heading = "", code = ""], index) => ({ heading, code, file: `${name}-${index}.ts` }),
  );

/** How many blocks of code there are. */
export const blocksIn = (text: string): number => text.match(/^```ts$/gm)?.length ?? 0;

export const examples: Example[] = examplesIn(readme, "example");
