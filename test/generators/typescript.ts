import type { Generator } from "./generator.ts";

/** Without a package.json in the folder, npm installs into the next folder above that has one, or `node_modules`. */
const install = "npm init -y && npm install";
/** The compiler with its defaults, which are strict. */
export const installTypeScript = `${install} typescript@6.0.3`;
const needsStatus =
  "reads the edition in OpenAPI 3.0, which has a `200` next to each `2XX`: it takes `2XX` for an error.";

export const compileTypeScript = (file: string): string => `npx tsc --noEmit ${file}`;

const common = {
  language: "TypeScript",
  needs: ["npm"],
  document: "openapi.json",
} satisfies Partial<Generator>;

export const typescript: Generator[] = [
  {
    ...common,
    name: "openapi-typescript",
    version: "7.13.0",
    install: `${install} typescript@5.9.3 openapi-fetch@0.17.0 openapi-typescript@7.13.0`,
    generate: "npx openapi-typescript openapi.json -o client.ts",
    compile: "npx tsc --noEmit --strict client.ts",
  },
  {
    ...common,
    name: "hey-api",
    version: "0.99.0",
    install: `${installTypeScript} @hey-api/openapi-ts@0.99.0`,
    generate: "npx openapi-ts -i openapi.json -o client",
    compile: compileTypeScript("client/index.ts"),
  },
  {
    ...common,
    name: "swagger-typescript-api",
    document: "openapi-3.0.json",
    note: needsStatus,
    version: "13.13.0",
    install: `${installTypeScript} swagger-typescript-api@13.13.0`,
    generate: "npx swagger-typescript-api generate -p openapi-3.0.json -o client",
    compile: compileTypeScript("client/Api.ts"),
  },
  {
    ...common,
    name: "openapi-zod-client",
    document: "openapi-3.0.json",
    note: needsStatus,
    version: "1.18.3",
    install: `${installTypeScript} openapi-zod-client@1.18.3`,
    generate: "npx openapi-zod-client openapi-3.0.json -o client.ts",
    compile: compileTypeScript("client.ts"),
  },
  {
    ...common,
    name: "orval",
    document: "openapi-3.0.json",
    note: "reads the edition in OpenAPI 3.0, because it generates invalid TypeScript for `const`.",
    version: "8.38.0",
    install: `${installTypeScript} axios@1 orval@8.38.0`,
    generate: "npx orval --input openapi-3.0.json --output client.ts",
    compile: compileTypeScript("client.ts"),
  },
];
