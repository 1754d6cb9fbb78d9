import { join } from "node:path";
import { documents, type Reader } from "./generator.ts";

const each = (command: string): string => documents.map((file) => `${command} ${file}`).join(" && ");

const inVirtualEnvironment = (packages: string): string =>
  `python3 -m venv .venv && .venv/bin/pip install -q ${packages}`;

const script = (path: string): string => `${process.execPath} ${join(import.meta.dirname, path)}`;

/** A viewer in a browser. */
const viewer = (name: string, module: string, version: string): Reader => ({
  name,
  version,
  needs: ["npm"],
  install: `npm init -y && npm install --no-audit --no-fund --ignore-scripts ${module}@${version}`,
  read: `${script("viewer/main.ts")} ${name} ${documents.join(" ")}`,
});

/** Validators, viewers, and Schemathesis, which tests a server by the document. */
export const readers: Reader[] = [
  {
    name: "openapi-spec-validator",
    version: "0.9.0",
    needs: ["python3"],
    install: inVirtualEnvironment("openapi-spec-validator==0.9.0"),
    read: each(".venv/bin/openapi-spec-validator"),
  },
  {
    name: "kin-openapi",
    version: "0.152.0",
    needs: ["go"],
    install: "GOBIN=$PWD go install github.com/getkin/kin-openapi/cmd/validate@v0.152.0",
    // It rejects null for a schema without a type, which OpenAPI 3.0.4 allows: an example of the flattened edition has one.
    read: "./validate openapi.json && ./validate openapi-3.0.json && ./validate -examples=false openapi-flat.json",
  },
  viewer("redoc", "redoc", "2.5.4"),
  viewer("swagger-ui", "swagger-ui-dist", "5.35.0"),
  viewer("scalar", "@scalar/api-reference", "1.46.4"),
  {
    name: "schemathesis",
    version: "4.32.5",
    needs: ["python3"],
    install: inVirtualEnvironment("schemathesis==4.32.5"),
    read: script("schemathesis/main.ts"),
    printsResults: true,
  },
];
