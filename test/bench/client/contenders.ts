/** A way to send email, as programs to measure. Each reads BASE_URL and KEY and sends one message. */
export interface Contender {
  name: string;
  /** The packages that it imports. */
  packages: string[];
  /** The import statements. */
  imports: string;
  /** Statements that run once, before the first message. */
  setUp: string;
  /** An expression that sends `message` and evaluates to its id. */
  send: string;
  /** The upper limit of each figure. */
  targets?: Partial<Record<FigureName, number>>;
}

export type FigureName = "bytes" | "kibibytes" | "packages" | "import" | "firstMail" | "cpu" | "types";

const url = 'process.env.BASE_URL ?? ""';
const key = 'process.env.KEY ?? ""';
// More than 2,048 and 3,600 bytes, because there is no other build for development: 600 are checks of options with messages that say
// what to do, 130 the validation and redaction of error responses, and 110 the reasons and causes in error messages.
const own = { kibibytes: 150, import: 1.1, firstMail: 3.6, cpu: 1.45, types: 700 };

// The clients of other services. They send their own messages to a server that accepts anything; the two that send none make one
// request with a body. A client without an option for the base URL has a comment.

const others: Contender[] = [
  {
    name: "resend",
    packages: ["resend"],
    imports: 'import { Resend } from "resend";',
    setUp: `const api = new Resend(${key}, { baseUrl: ${url} });`,
    send: "(await api.emails.send(message)).data?.id",
  },
  {
    name: "postmark",
    packages: ["postmark"],
    imports: 'import { ServerClient } from "postmark";',
    setUp: `const requestHost = new URL(${url}).host;
const api = new ServerClient(${key}, { requestHost, useHttps: false });
const input = { From: message.from, To: "c@d.example", Subject: message.subject, TextBody: message.text };`,
    send: "(await api.sendEmail(input)) && true",
  },
  {
    name: "loops",
    packages: ["loops"],
    imports: 'import { LoopsClient } from "loops";',
    // It has no option for the base URL: the property is overwritten.
    setUp: `const api = new LoopsClient(${key});
Object.assign(api, { apiRoot: \`\${${url}}/api/\` });
const input = { transactionalId: "hello", email: "c@d.example", dataVariables: { subject: message.subject } };`,
    send: "(await api.sendTransactionalEmail(input)) && true",
  },
  {
    name: "@sendgrid/mail",
    packages: ["@sendgrid/mail"],
    imports: 'import sendgrid from "@sendgrid/mail"; import { Client } from "@sendgrid/client";',
    // The base URL is an option of the underlying client. Keys start with SG.
    setUp: `const inner = new Client();
inner.setApiKey(\`SG.\${${key}}\`);
inner.setDefaultRequest("baseUrl", ${url});
sendgrid.setClient(inner);`,
    send: "(await sendgrid.send(message))[0].statusCode",
  },
  {
    name: "stripe (node:http)",
    packages: ["stripe"],
    imports: 'import Stripe from "stripe";',
    setUp: `const { hostname: host, port } = new URL(${url});
const api = new Stripe(${key}, { host, port, protocol: "http" });
const input = { email: message.from };`,
    send: "(await api.customers.create(input)).id",
  },
  {
    name: "openai",
    packages: ["openai"],
    imports: 'import OpenAI from "openai";',
    setUp: `const api = new OpenAI({ apiKey: ${key}, baseURL: ${url} });`,
    send: 'await api.post("/emails", { body: message })',
  },
];

export const contenders: Contender[] = [
  {
    name: "raw fetch",
    packages: [],
    imports: "",
    setUp: `const headers = { authorization: \`Bearer \${${key}}\`, "content-type": "application/json" };`,
    send: `await fetch(\`\${${url}}/api/v1/emails\`, { method: "POST", headers, body: JSON.stringify(message) }).then((response) => response.json()).then((data: { id: string }) => data.id)`,
  },
  {
    name: "openapi-fetch",
    packages: ["openapi-fetch", "openapi-typescript-helpers"],
    imports: 'import createClient from "openapi-fetch"; import type { paths } from "email-api-client/fetch";',
    setUp: `const api = createClient<paths>({ baseUrl: ${url}, headers: { authorization: \`Bearer \${${key}}\` } });`,
    send: '(await api.POST("/api/v1/emails", { body: message })).data?.id',
  },
  {
    name: "this client, one operation",
    packages: ["email-api-client"],
    imports: 'import { connect, sendEmail } from "email-api-client";',
    setUp: `const api = connect({ key: ${key}, baseUrl: ${url} });`,
    send: "(await sendEmail(api, message)).id",
    targets: { bytes: 2780, ...own },
  },
  {
    name: "this client, full",
    packages: ["email-api-client"],
    imports: 'import { createClient } from "email-api-client";',
    setUp: `const api = createClient({ key: ${key}, baseUrl: ${url} });`,
    send: "(await api.emails.send(message)).id",
    targets: { bytes: 4350, ...own },
  },
  {
    name: "reliableFetch, openapi-fetch",
    packages: ["email-api-client", "openapi-fetch", "openapi-typescript-helpers"],
    imports:
      'import createClient from "openapi-fetch"; import { type paths, reliableFetch } from "email-api-client/fetch";',
    setUp: `const api = createClient<paths>({ baseUrl: ${url}, fetch: reliableFetch({ key: ${key} }) });`,
    send: '(await api.POST("/api/v1/emails", { body: message })).data?.id',
  },
  ...others,
];

const message =
  'const message = { from: "a@b.example", to: ["c@d.example"], subject: "Hello", text: "Hello" };';

/** Sends one message and prints its id. */
export const once = ({ imports, setUp, send }: Contender): string =>
  `${imports}\n${message}\n${setUp}\nconsole.log(${send});\n`;

/** Sends COUNT messages, 8 at a time, and prints the CPU time for each in microseconds. */
export const loop = ({ imports, setUp, send }: Contender): string => `${imports}
${message}
${setUp}
const run = async (count: number) => {
  for (let done = 0; done < count; done++) if (!(${send})) throw new Error("no id");
};
const all = (count: number) => Promise.all(Array.from({ length: 8 }, () => run(count / 8)));
await all(400);
const before = process.cpuUsage();
await all(Number(process.env.COUNT));
const { user, system } = process.cpuUsage(before);
console.log((user + system) / Number(process.env.COUNT));
`;

/** Imports only. */
export const importing = ({ imports }: Contender): string => `${imports}\nexport {};\n`;
