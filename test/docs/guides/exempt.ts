import { generators } from "../../generators/all.ts";
import { commandsOf } from "../../generators/generator.ts";

const tested = "The project's own tests run this command.";

/** The start of each command that the guides show and shell.test.ts does not run, and why. */
export const exempt: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    generators.flatMap(commandsOf).map((command) => [command, "npm run generators runs it."]),
  ),
  "npm ci": "Installs the project: no test runs without it.",
  "npm start": "CI runs it.",
  "npm test": "These tests are a part of it.",
  "npm install": "Would install packages; generated-client.test.ts uses the same ones.",
  "npm run sandbox":
    "Runs until it is stopped; test/sandbox/serve starts it with the options that are shown.",
  "createuser sandbox": "Changes a PostgreSQL server, which few machines have.",
  "createdb sandbox": "Changes a PostgreSQL server, which few machines have.",
  "PGPASSWORD=... npx email-api-contract sandbox": "Uses the database of the two commands before.",
  "pg_dump --schema email_sandbox": "A program of PostgreSQL, which few machines have.",
  "pg_restore --clean": "A program of PostgreSQL, which few machines have.",
  "podman build": "Downloads images; test/container runs the steps of the Containerfile.",
  "podman run": "Runs the image of the command before.",
  "SANDBOX_DATABASE_PASSWORD=choose-one podman-compose up":
    "Runs images; test/container checks their options.",
  "npm run build:client": "The test of the TypeScript examples installs the built client.",
  "npm run docs -- --config docs.config.yaml": "package.thorough.test.ts builds with the file of the guide.",
  "npx email-api-contract docs": "package.thorough.test.ts builds with the file of the guide.",
  "npm run bench:conformance": "Installs another tool, and runs four on dozens of servers: for minutes.",
  "npm run generate": tested,
  "npm run clients": "Generates and compiles clients, for minutes: CI runs it.",
  "npm run trace": tested,
  "npm run diff": tested,
  "npm run release": tested,
  "npx email-api-contract contract": tested,
  "npx email-api-contract sandbox --smtp":
    "Runs until it is stopped; test/contract/mail starts it with this option.",
  "npx email-api-contract client": tested,
  "npx email-api-contract compare": tested,
  "npx email-api-contract observe": tested,
  "export CONTRACT_API_KEY=sandbox_all_2f7c": "workspace.thorough.test.ts sets it.",
  "export CONTRACT_API_KEY=...": "The key of a server that only its owner has.",
  "EMAIL_API_KEY=sandbox_all_2f7c EMAIL_API_URL=http://127.0.0.1:4020 npx node first-email.ts":
    "Runs the TypeScript example of its guide, which has a test of its own.",
  "npx openapi-typescript openapi.json -o email-api.d.ts": "generated-client.test.ts runs it.",
  "npx node -e": "rules-listed.test.ts runs it.",
};

/** The commands of a block without comments. A command that continues on the next line is one. */
export const commandsIn = (code: string): string[] =>
  code
    .replaceAll(/\\\n\s*/g, "")
    .replaceAll(/'[^']*'/g, (quoted) => quoted.replaceAll("\n", " "))
    .split("\n")
    .map((line) => line.replace(/(^|\s+)# .*$/, "").trim())
    .filter((line) => line !== "");

/** The entry of `exempt` that a command starts with. */
export const exemptionOf = (command: string): string | undefined =>
  Object.keys(exempt).find((start) => command === start || command.startsWith(`${start} `));
