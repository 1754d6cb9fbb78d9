import type { Generator } from "./generator.ts";
import { compileTypeScript, installTypeScript } from "./typescript.ts";

const version = "7.25.0";
const jar = `openapi-generator-cli-${version}.jar`;
const download = `mvn -q dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:${version} -DoutputDirectory=.`;

/** `options` are further options of the command, which the note explains. */
type Target = Pick<Generator, "language"> & Partial<Generator> & { options?: string };

const properties = (values: string): string => ` --additional-properties=${values}`;

const losesValues = "reads the flattened edition, because it loses the values of custom fields otherwise.";
const syntaxOnly = "Is checked for its syntax only.";

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
    note: "reads the flattened edition, because it requires the properties of all variants of a union. Its project needs Gradle; the repository's `test/generators/kotlin-pom.xml` compiles it without.",
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
    note: "reads the flattened edition, because it has no null for custom fields otherwise, which clears one. Has an option, because code for retries needs middleware.",
    options: properties("supportMiddleware=true"),
    compile: "cargo check -q --manifest-path client/Cargo.toml",
  },
  csharp: { language: "C#", note: "is not compiled." },
  "typescript-fetch": {
    language: "TypeScript",
    needs: ["npm"],
    install: `${installTypeScript} && ${download}`,
    compile: compileTypeScript("client/index.ts"),
  },
};

export const openapiGenerator: Generator[] = Object.entries(targets).map(
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
