import { fileURLToPath } from "node:url";

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The folder of the package, absolute. */
export const root = at("");

/** The folder of the hand-written document, absolute. */
export const openapiFolder = at("openapi");

/** The root file of the document, absolute. */
export const rootDocument = at("openapi/openapi.yaml");

/** The folder of the generated files, absolute. */
export const generatedFolder = at("generated");
