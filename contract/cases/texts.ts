/** Texts that match a constraint, and texts that violate it and no other. */
interface Texts {
  accepted: string[];
  rejected: string[];
}

/**
 * Texts for formats and patterns, by component, component and property, or format; the first match counts. Only cases in
 * which the service is specified.
 */
const knownTexts: Record<string, Texts> = {
  SenderEmailAddress: {
    accepted: ["shop+orders@mail.example.com"],
    rejected: ["Ada <ada@example.com>", "mail.example.com"],
  },
  MessageTagName: {
    accepted: ["order", "ORDER", "a-Z_0:9."],
    rejected: ["order id", "order/1042", "order!"],
  },
  ExtraHeaderName: {
    accepted: ["X-Entity-Ref-ID", "X-1", "List-Unsubscribe", "List-Unsubscribe-Post"],
    rejected: ["Reply-To", "List-Id", "Subject"],
  },
  ExtraHeaderValue: {
    accepted: ["order-1042; part 1"],
    rejected: ["order\r\nBcc: grace@example.net", "order\n1042", "order\r1042", "order-1042\n"],
  },
  "ContentAttachment.content": {
    accepted: ["JVBERi0xLjQ=", "JVBERi0xLg==", "JVBERi0x"],
    rejected: ["%PDF-1.4!"],
  },
  "LinkAttachment.path": {
    accepted: ["https://files.example.com/terms.pdf?version=2"],
    rejected: ["http://files.example.com/terms.pdf", "ftp://files.example.com/terms.pdf", "terms.pdf"],
  },
  email: {
    accepted: ["ada+orders@mail.example.com"],
    rejected: ["ada", "ada@", "@example.com"],
  },
  "date-time": {
    accepted: ["2026-12-24T17:00:00Z", "2026-12-24T18:00:00+01:00", "2026-12-24T12:30:00-04:30"],
    rejected: ["2026-12-24T18:00:00", "2026-12-24", "tomorrow"],
  },
};

export function textsFor(name: string, format: unknown): Texts {
  const found = knownTexts[name] ?? knownTexts[String(format)];
  if (found === undefined) {
    throw new Error(`${name} has a format or a pattern without example texts: add them to texts.ts`);
  }
  return found;
}
