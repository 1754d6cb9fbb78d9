import { join } from "node:path";
import { documents, type Generator, type Reader } from "./tools.ts";

/** Without a package.json in the folder, npm installs into the next folder above that has one, or `node_modules`. */
const install = "npm init -y && npm install";
/** The compiler with its defaults, which are strict. */
const installTypeScript = `${install} typescript@6.0.3`;
const needsStatus =
  "reads the edition in OpenAPI 3.0, which has a `200` next to each `2XX`: it takes `2XX` for an error.";

const compileTypeScript = (file: string): string => `npx tsc --noEmit ${file}`;

const common = {
  language: "TypeScript",
  needs: ["npm"],
  document: "openapi.json",
} satisfies Partial<Generator>;

const typescript: Generator[] = [
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

const version = "7.25.0";
const jar = `openapi-generator-cli-${version}.jar`;
const download = `mvn -q dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:${version} -DoutputDirectory=.`;

/** `options` are further options of the command, which the note explains. */
type Target = Pick<Generator, "language"> & Partial<Generator> & { options?: string };

const properties = (values: string): string => ` --additional-properties=${values}`;

const losesValues = "reads the flattened edition, because it loses the values of custom fields otherwise.";
const syntaxOnly = "The language has no compiler: the last command checks the syntax.";

/** The targets of OpenAPI Generator, by their names there. */
const targets: Record<string, Target> = {
  python: {
    language: "Python",
    needs: ["python3"],
    compile:
      "python3 -m venv .venv && .venv/bin/pip install -q ./client && .venv/bin/python -c 'import openapi_client'",
  },
  go: { language: "Go", needs: ["go"], compile: "cd client && go mod tidy && go build ./..." },
  java: {
    language: "Java",
    note: "has two options: otherwise it sends `tags`, `headers` and `attachments` that were not set, and rejects unknown fields of a bounce.",
    options: properties("containerDefaultToNull=true,disallowAdditionalPropertiesIfNotPresent=false"),
    compile: "mvn -q -f client/pom.xml compile",
  },
  kotlin: {
    language: "Kotlin",
    document: "openapi-flat.json",
    note: "reads the flattened edition, because it requires the properties of all variants of a union. Its project needs Gradle; [kotlin-pom.xml](../test/clients/kotlin-pom.xml) compiles it with Maven.",
    file: "kotlin-pom.xml",
    compile: "mvn -q -f kotlin-pom.xml compile",
  },
  php: {
    language: "PHP",
    needs: ["php"],
    document: "openapi-flat.json",
    note: `${losesValues} ${syntaxOnly}`,
    compile: "find client/lib -name '*.php' | xargs -n 1 php -l",
  },
  ruby: {
    language: "Ruby",
    needs: ["ruby"],
    document: "openapi-flat.json",
    note: `${losesValues} ${syntaxOnly}`,
    compile: "find client/lib -name '*.rb' | xargs -n 1 ruby -c",
  },
  rust: {
    language: "Rust",
    needs: ["cargo"],
    versions: { cargo: "1.88" },
    document: "openapi-flat.json",
    note: "reads the flattened edition, because it has no null for custom fields otherwise, which clears one. The option adds middleware, which code for retries needs.",
    options: properties("supportMiddleware=true"),
    compile: "cargo check -q --manifest-path client/Cargo.toml",
  },
  csharp: { language: "C#", note: "is run, but its output is not compiled." },
  "typescript-fetch": {
    language: "TypeScript",
    needs: ["npm"],
    install: `${installTypeScript} && ${download}`,
    compile: compileTypeScript("client/index.ts"),
  },
};

const openapiGenerator: Generator[] = Object.entries(targets).map(
  ([target, { needs = [], options = "", ...rest }]) => {
    const document = rest.document ?? "openapi.json";
    return {
      name: `openapi-generator ${target}`,
      version,
      document,
      install: download,
      generate: `java -jar ${jar} generate -i ${document} -g ${target} -o client${options}`,
      needs: ["java", "mvn", ...needs],
      ...rest,
    };
  },
);

const inActiveEnvironment = (packages: string): string =>
  `python3 -m venv .venv && . .venv/bin/activate && pip install -q ${packages}`;

const others: Generator[] = [
  {
    name: "openapi-python-client",
    version: "0.29.1",
    language: "Python",
    needs: ["python3"],
    document: "openapi.json",
    install: inActiveEnvironment("openapi-python-client==0.29.1"),
    file: "../../clients/python-openapi-python-client/openapi-python-client.yaml",
    note: "reads the names of the package from [openapi-python-client.yaml](../clients/python-openapi-python-client/openapi-python-client.yaml), because it takes them from the title of the document otherwise.",
    generate: "openapi-python-client generate --path openapi.json --config openapi-python-client.yaml",
    compile:
      "pip install -q ./email-api-client && python -c 'from email_api_client.api.emails import send_email'",
  },
  {
    name: "datamodel-code-generator",
    version: "0.89.0",
    language: "Python",
    needs: ["python3"],
    document: "openapi.json",
    install: inActiveEnvironment("datamodel-code-generator==0.89.0 'pydantic[email]'"),
    generate: "datamodel-codegen --input openapi.json --output models.py",
    compile: "python -c 'import models'",
  },
  {
    name: "oapi-codegen",
    version: "2.8.2",
    language: "Go",
    needs: ["go"],
    document: "openapi.json",
    install:
      "go mod init client && go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2",
    generate: "oapi-codegen -o client.go openapi.json",
    compile: "go mod tidy && go build ./...",
  },
  {
    name: "progenitor",
    version: "0.15.1",
    language: "Rust",
    needs: ["cargo"],
    document: "openapi-3.0.json",
    note: "reads only OpenAPI 3.0, and needs a name and a version for the client.",
    install: "cargo install -q cargo-progenitor@0.15.1",
    generate: "cargo progenitor -i openapi-3.0.json -o client -n email-api -v 1.0.0",
    compile: "cargo check -q --manifest-path client/Cargo.toml",
  },
];

const each = (command: string): string => documents.map((file) => `${command} ${file}`).join(" && ");

const inVirtualEnvironment = (packages: string): string =>
  `python3 -m venv .venv && .venv/bin/pip install -q ${packages}`;

/** A validator, and Schemathesis, which tests a server by the document. */
export const readers: Reader[] = [
  {
    name: "openapi-spec-validator",
    version: "0.9.0",
    needs: ["python3"],
    install: inVirtualEnvironment("openapi-spec-validator==0.9.0"),
    read: each(".venv/bin/openapi-spec-validator"),
  },
  {
    name: "schemathesis",
    version: "4.32.5",
    needs: ["python3"],
    install: inVirtualEnvironment("schemathesis==4.32.5"),
    read: `${process.execPath} ${join(import.meta.dirname, "schemathesis/main.ts")}`,
    printsResults: true,
  },
];

export const generators: Generator[] = [...openapiGenerator, ...others, ...typescript];
