import type { Node } from "../../../scripts/document/values.ts";
import { document, error, type Invalid, type Valid } from "../fragments.ts";

const shown = (value: unknown): Node => document({ components: { examples: { Shown: { value } } } });
const at = "/components/examples/Shown/value";
const advice = (host: string) =>
  `Use a reserved name such as example.com, or 192.0.2.1, instead of ${host} (RFC 2606, RFC 5737).`;

export const valid: Valid = {
  "reserved names": shown([
    "ada@example.com",
    "https://files.example.org:8443/a.pdf?b=c",
    "bounce@simulator.example",
    "ada%40example.net",
    "Sending from shop.example.com is stopped.",
    "192.0.2.17",
  ]),
  "what only looks like a name": shown([
    "invoice-1042.pdf",
    "emails.2.subject",
    "550 5.1.1 user unknown",
    "Firefox/145.0",
  ]),
};

export const invalid: Invalid = {
  "somebody's address": {
    document: shown("ada@mailbox.berlin"),
    findings: [error(at, advice("mailbox.berlin"))],
  },
  "somebody's site": {
    document: shown("See https://www.shop.com/terms."),
    findings: [error(at, advice("www.shop.com"))],
  },
  "a name that only begins as a reserved one": {
    document: shown("example.com.shop.io"),
    findings: [error(at, advice("example.com.shop.io"))],
  },
  "this very machine": {
    document: shown("http://localhost:4010/api"),
    findings: [error(at, advice("localhost"))],
  },
  "somebody's number": {
    document: shown({ ip: "8.8.8.8" }),
    findings: [error(`${at}/ip`, advice("8.8.8.8"))],
  },
};
