import type { Contender } from "./contenders.ts";

// The clients of known services. They send their own mail, to a server that takes anything; the two that send none make one
// request with a body. Where one has no option for the address of the server, it is told here how it is given one.

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
const asked = { From: message.from, To: "c@d.example", Subject: message.subject, TextBody: message.text };`,
    send: "(await api.sendEmail(asked)) && true",
    targets: {},
  },
  {
    name: "loops",
    packages: ["loops"],
    imports: 'import { LoopsClient } from "loops";',
    // It has no option for the address; the field that holds it is written over.
    setUp: `const api = new LoopsClient(${key});
Object.assign(api, { apiRoot: \`\${${url}}/api/\` });
const asked = { transactionalId: "hello", email: "c@d.example", dataVariables: { subject: message.subject } };`,
    send: "(await api.sendTransactionalEmail(asked)) && true",
    targets: {},
  },
  {
    name: "@sendgrid/mail",
    packages: ["@sendgrid/mail"],
    imports: 'import sendgrid from "@sendgrid/mail"; import { Client } from "@sendgrid/client";',
    // The address is not an option of the mail service, but of the client below it. Keys begin with SG.
    setUp: `const below = new Client();
below.setApiKey(\`SG.\${${key}}\`);
below.setDefaultRequest("baseUrl", ${url});
sendgrid.setClient(below);`,
    send: "(await sendgrid.send(message))[0].statusCode",
    targets: {},
  },
  {
    name: "stripe (node:http)",
    packages: ["stripe"],
    imports: 'import Stripe from "stripe";',
    setUp: `const { hostname: host, port } = new URL(${url});
const api = new Stripe(${key}, { host, port, protocol: "http" });
const asked = { email: message.from };`,
    send: "(await api.customers.create(asked)).id",
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
