import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../../scripts/bundle/bundle.ts";
import { openapiFolder } from "../../scripts/common/paths.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** The folder of a small split document with every construct that the scripts must carry through. */
export const sampleFolder = fileURLToPath(new URL("sample", import.meta.url));

/** A copy of a split document in a folder of its own, for breaking. */
export interface Copy {
  /** The folder, absolute. */
  folder: string;
  /** Its root file, absolute. */
  source: string;
  /** Puts another text where one stands in a file. Throws when it does not stand there. */
  replace(file: string, from: string, to: string): Promise<void>;
  /** Adds lines to the end of a file. */
  append(file: string, text: string): Promise<void>;
  remove(file: string): Promise<void>;
}

/** Runs some work on a copy of the sample or of the document itself, which is removed afterwards. `lint:mutate` uses it without a test. */
export async function onCopy<Result>(
  of: "sample" | "document",
  work: (copy: Copy) => Promise<Result>,
): Promise<Result> {
  const over: (() => void)[] = [];
  const folder = temporaryFolder((remove) => over.push(remove));
  const at = (file: string): string => join(folder, file);
  const original = of === "sample" ? sampleFolder : openapiFolder;
  await cp(original, folder, { recursive: true, filter: (path) => basename(path) !== "lint" });
  const copy: Copy = {
    folder,
    source: at("openapi.yaml"),
    async replace(file, from, to) {
      const text = await readFile(at(file), "utf8");
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      await writeFile(at(file), text.replace(from, to));
    },
    async append(file, text) {
      await writeFile(at(file), `${await readFile(at(file), "utf8")}${text}`);
    },
    remove: (file) => rm(at(file)),
  };
  try {
    return await work(copy);
  } finally {
    for (const remove of over) remove();
  }
}

const made = new Map<string | undefined, Promise<OpenApiDocument>>();

/** Bundles a document once for all test files of a process. Frozen, so that no test can change it for another. */
function once(source?: string): Promise<OpenApiDocument> {
  const document = made.get(source) ?? bundle(source).then(frozen);
  made.set(source, document);
  return document;
}

/** The bundle of the document as it stands in `openapi/`. */
export const sourceDocument = (): Promise<OpenApiDocument> => once();

/** The bundle of the sample. */
export const sampleDocument = (): Promise<OpenApiDocument> => once(join(sampleFolder, "openapi.yaml"));

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
