import type { Contender } from "./contenders.ts";

// The clients of other services. They send their own messages to a server that accepts anything; the two that send none make one
// request with a body. A client without an option for the base URL has a comment.

const url = 'process.env.BASE_URL ?? ""';
const key = 'process.env.KEY ?? ""';

export const others: Contender[] = [
  {
    name: "resend",
    packages: ["resend"],
    imports: 'import { Resend } from "resend";',
    setUp: `const api = new Resend(${key}, { baseUrl: ${url} });`,
    send: "(await api.emails.send(message)).data?.id",
    targets: {},
  },
  {
    name: "postmark",
    packages: ["postmark"],
    imports: 'import { ServerClient } from "postmark";',
    setUp: `const requestHost = new URL(${url}).host;
const api = new ServerClient(${key}, { requestHost, useHttps: false });
const input = { From: message.from, To: "c@d.example", Subject: message.subject, TextBody: message.text };`,
    send: "(await api.sendEmail(input)) && true",
    targets: {},
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
    targets: {},
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
    targets: {},
  },
  {
    name: "stripe (node:http)",
    packages: ["stripe"],
    imports: 'import Stripe from "stripe";',
    setUp: `const { hostname: host, port } = new URL(${url});
const api = new Stripe(${key}, { host, port, protocol: "http" });
const input = { email: message.from };`,
    send: "(await api.customers.create(input)).id",
    targets: {},
  },
  {
    name: "openai",
    packages: ["openai"],
    imports: 'import OpenAI from "openai";',
    setUp: `const api = new OpenAI({ apiKey: ${key}, baseURL: ${url} });`,
    send: 'await api.post("/emails", { body: message })',
    targets: {},
  },
];
