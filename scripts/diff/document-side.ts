import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { parse } from "yaml";
import { UserError } from "../../lib/user-error.ts";
import { locator, type SourcePlace } from "../document/locate.ts";
import { isNode, type Node } from "../document/values.ts";
import { root, rootDocument } from "../paths.ts";
import { jsonPlaces } from "./json-places.ts";
import { readSplit } from "./read-split.ts";

/** One side of a comparison: its bundle, and where its places stand in its sources. */
export interface Side {
  /** What messages call it. */
  label: string;
  document: Node;
  locate(pointer: string): Promise<SourcePlace>;
  close(): Promise<void>;
}

/** An installed package has no sources of its document: it compares where it was called. */
export const isPackaged = !existsSync(rootDocument);

/** The folder that the command works in, absolute: the project, or wherever an installed package is called. */
export const here = isPackaged ? process.cwd() : root;

/** A file as one side. Throws a Failure with exit status 2 when it is no OpenAPI document. */
export async function documentSide(file: string): Promise<Side> {
  const document = await readDocument(file);
  const isSplit = JSON.stringify(document).match(/"\$ref":"[^#"]/) !== null;
  const whole = isSplit ? await readSplit(file) : document;
  const { locate } = file.endsWith(".json") && !isSplit ? jsonPlaces(file) : locator(file);
  return {
    label: file,
    document: whole,
    async locate(pointer) {
      const place = await locate(pointer);
      return { ...place, file: fromHere(resolve(root, place.file)) };
    },
    close: async () => {},
  };
}

/** A file as messages name it: relative to where the command works, if it lies there. */
function fromHere(file: string): string {
  const path = relative(here, file);
  return path.startsWith("..") || isAbsolute(path) ? file : path.replaceAll("\\", "/");
}

async function readDocument(file: string): Promise<Node> {
  let value: unknown;
  try {
    const text = await readFile(file, "utf8");
    value = file.endsWith(".json") ? JSON.parse(text) : parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : "";
    throw new UserError(`${fromHere(file)} cannot be read: ${why}`, { exitCode: 2, cause });
  }
  if (isNode(value) && typeof value.openapi === "string") return value;
  throw new UserError(`${fromHere(file)} is not an OpenAPI document`, {
    hint: "Name a document in JSON or YAML, bundled or the root file of a split one.",
    exitCode: 2,
  });
}
