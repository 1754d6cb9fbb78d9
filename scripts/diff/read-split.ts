import { readFile } from "node:fs/promises";
import { basename, dirname, extname, resolve } from "node:path";
import { parse } from "yaml";
import { UserError } from "../../lib/user-error.ts";
import { componentFolders } from "../bundle/extensions.ts";
import { withNumbers } from "../bundle/numbers.ts";
import { verifyBundle } from "../bundle/verify.ts";
import { bundle } from "../bundle.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { isNode, type Node, nodeOf } from "../document/values.ts";

/** The document is put together in a way that is not this quick one's. */
class Unusual extends Error {}

/**
 * The bundle of a split document, up to the order of its keys. What is written as this contract is written takes a
 * quarter of the time that `bundle` takes; all else, and all that is wrong, is left to `bundle`, which says what and where.
 *
 * @param source the root file of the document, absolute
 * @throws Failure as `bundle` does
 */
export async function readSplit(source: string): Promise<Node> {
  let why: unknown;
  try {
    return await quickly(source);
  } catch (error) {
    why = error;
  }
  try {
    return (await bundle(source)) as unknown as Node;
  } catch (error) {
    // An installed package comes without the bundler.
    if ((error as { code?: string }).code !== "MODULE_NOT_FOUND") throw error;
    throw new UserError(`${source} cannot be put together: ${(why as Error).message}`, {
      hint: "Bundle it first, for instance with `npx @redocly/cli bundle`, and name the bundle.",
      exitCode: 2,
      cause: why,
    });
  }
}

/** A document whose references each name a whole file. @throws an error of any kind where it is not */
export async function quickly(source: string): Promise<Node> {
  const folder = dirname(source);
  const components = new Map<string, Map<string, unknown>>();
  const read = async (file: string): Promise<unknown> =>
    settled(parse(await readFile(file, "utf8")), dirname(file));
  const settled = async (value: unknown, here: string): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map((item) => settled(item, here)));
    if (!isNode(value)) return value;
    if ("discriminator" in value || "<<" in value) throw new Unusual("it has discriminators or merged keys");
    const entries = Object.entries(value).filter(([key]) => key !== "$ref");
    const beside = Object.fromEntries(
      await Promise.all(entries.map(async ([key, item]) => [key, await settled(item, here)] as const)),
    );
    return "$ref" in value ? followed(value.$ref, here, beside) : beside;
  };
  const followed = async (reference: unknown, here: string, beside: Node): Promise<unknown> => {
    if (typeof reference !== "string" || /[#:]/.test(reference))
      throw new Unusual("a reference is to no whole file");
    const file = resolve(here, reference);
    const kind = componentFolders.find((name) => resolve(folder, name) === dirname(file));
    if (kind === undefined) {
      if (Object.keys(beside).length > 0) throw new Unusual("something stands beside a reference");
      return read(file);
    }
    const name = basename(file, extname(file));
    await component(kind, name, file);
    return { $ref: `#/components/${kind}/${name}`, ...beside };
  };
  const component = async (kind: string, name: string, file: string): Promise<void> => {
    const known = components.get(kind) ?? new Map<string, unknown>();
    components.set(kind, known);
    if (known.has(name)) return;
    // Claimed before it is read: a schema may contain itself.
    known.set(name, undefined);
    known.set(name, await read(file));
  };
  const made = nodeOf(await read(source));
  const document = { ...made, components: withReached(nodeOf(made.components), components) };
  await verifyBundle(document, source);
  return withNumbers(document as unknown as OpenApiDocument) as unknown as Node;
}

/** What the root lists and what references reach. A component that the root lists is what its file says. */
function withReached(listed: Node, reached: Map<string, Map<string, unknown>>): Node {
  const all: Node = { ...listed };
  for (const [kind, found] of reached) {
    for (const [name, given] of Object.entries(nodeOf(listed[kind]))) {
      const own = { $ref: `#/components/${kind}/${name}` };
      if (JSON.stringify(given) !== JSON.stringify(own))
        throw new Unusual("a component has another name than its file");
    }
    all[kind] = Object.fromEntries(found);
  }
  return all;
}
