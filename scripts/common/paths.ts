import { existsSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import * as textFile from "../../lib/files.ts";

/** The folder of the package, absolute: in a clone and installed, compiled or not. */
export const root = join(dirname(findPackageJSON(import.meta.url) ?? ""), "/");

/** Whether this is the installed package, which has no sources. */
export const isPackaged = !existsSync(join(root, "scripts/cli.ts"));

/** The folder of the hand-written document, absolute. */
export const openapiFolder = join(root, "openapi");

/** The root file of the document, absolute. */
export const rootDocument = join(openapiFolder, "openapi.yaml");

/** The folder of the generated files, absolute. */
export const generatedFolder = join(root, "generated");

/** The folder of the published reports, absolute. */
export const reportsFolder = join(root, "reports");

/** A file as messages name it: relative to the package (`openapi/paths/emails.yaml`) if it lies in it. */
export const displayPath = (file: string): string => textFile.displayPath(file, root);
