import { join } from "node:path";
import { bundle } from "../../scripts/bundle/bundle.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { sampleFolder } from "./copies.ts";

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
