import type { Generator } from "./generator.ts";
import { openapiGenerator } from "./openapi-generator.ts";
import { others } from "./others.ts";
import { typescript } from "./typescript.ts";

export const generators: Generator[] = [...openapiGenerator, ...others, ...typescript];
