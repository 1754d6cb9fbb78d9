import { fileURLToPath } from "node:url";

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The folder of the package, absolute. */
export const root = at("");

/** The folder of the hand-written contract, absolute. */
export const openapiFolder = at("openapi");

/** The document that everything starts from, absolute. */
export const rootDocument = at("openapi/openapi.yaml");

/** The folder of everything made from the contract, absolute. */
export const generatedFolder = at("generated");
