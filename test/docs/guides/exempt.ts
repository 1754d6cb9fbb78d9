const byTheProject = "The project's own tests run this verb.";

/** How the commands begin that the pages show and that are not run as they stand, each with what shows that it works. */
export const exempt: Readonly<Record<string, string>> = {
  "npm ci": "Installs the project: no test runs without it.",
  "npm start": "CI runs it.",
  "npm test": "These tests are a part of it.",
  "npm install": "Would install something here; generated-client.test.ts works with these packages.",
  "npm run sandbox":
    "Runs until it is stopped; test/sandbox/serve starts it with the options that are shown.",
  "npm run build:client": "The test of the TypeScript examples installs the client as it builds it.",
  "npm run generate": byTheProject,
  "npm run trace": byTheProject,
  "npm run diff": byTheProject,
  "npm run release": byTheProject,
  "npx email-api-contract contract": byTheProject,
  "export CONTRACT_API_KEY=...": "The key of a server that only its owner has.",
  "EMAIL_API_KEY=sandbox_all_2f7c EMAIL_API_URL=http://127.0.0.1:4020 npx node first-mail.ts":
    "Runs the TypeScript example of its page, which is run as such.",
  "npx openapi-typescript openapi.json -o email-api.d.ts": "generated-client.test.ts runs it.",
  "npx node -e": "rules-listed.test.ts runs it.",
};

/** The commands of a block, without comments; a command that goes on in a further line is one. */
export const commandsIn = (code: string): string[] =>
  code
    .replaceAll(/\\\n\s*/g, "")
    .replaceAll(/'[^']*'/g, (quoted) => quoted.replaceAll("\n", " "))
    .split("\n")
    .map((line) => line.replace(/(^|\s+)# .*$/, "").trim())
    .filter((line) => line !== "");

/** What exempts a command: the beginning that it has. */
export const exemptionOf = (command: string): string | undefined =>
  Object.keys(exempt).find((beginning) => command === beginning || command.startsWith(`${beginning} `));
