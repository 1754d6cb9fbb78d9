/** Texts that keep to a rule, and texts that break that rule and no other. */
interface Witnesses {
  accepted: string[];
  refused: string[];
}

/**
 * Texts for what no number bounds: formats and patterns. By the name of the component, of the component and its property, or of
 * the format; the first of these that is listed counts. Only what the service is clear about stands here.
 */
const witnesses: Record<string, Witnesses> = {
  SenderEmailAddress: {
    accepted: ["shop+orders@mail.example.com"],
    refused: ["Ada <ada@example.com>", "mail.example.com"],
  },
  MessageTagName: {
    accepted: ["order", "ORDER", "a-Z_0:9."],
    refused: ["order id", "order/1042", "order!"],
  },
  ExtraHeaderName: {
    accepted: ["X-Entity-Ref-ID", "X-1", "List-Unsubscribe", "List-Unsubscribe-Post"],
    refused: ["Reply-To", "List-Id", "Subject"],
  },
  ExtraHeaderValue: {
    accepted: ["order-1042; part 1"],
    refused: ["order\r\nBcc: grace@example.net", "order\n1042", "order\r1042"],
  },
  "ContentAttachment.content": {
    accepted: ["JVBERi0xLjQ=", "JVBERi0xLg==", "JVBERi0x"],
    refused: ["%PDF-1.4!"],
  },
  "LinkAttachment.path": {
    accepted: ["https://files.example.com/terms.pdf?version=2"],
    refused: ["http://files.example.com/terms.pdf", "ftp://files.example.com/terms.pdf", "terms.pdf"],
  },
  email: {
    accepted: ["ada+orders@mail.example.com"],
    refused: ["ada", "ada@", "@example.com"],
  },
  "date-time": {
    accepted: ["2026-12-24T17:00:00Z", "2026-12-24T18:00:00+01:00", "2026-12-24T12:30:00-04:30"],
    refused: ["2026-12-24T18:00:00", "2026-12-24", "tomorrow"],
  },
};

/** The texts for a schema by its name, else by its format. */
export function witnessesOf(name: string, format: unknown): Witnesses {
  const found = witnesses[name] ?? witnesses[String(format)];
  if (found === undefined) {
    throw new Error(
      `${name} has a format or a pattern, and no texts that keep or break it: add them to witnesses.ts`,
    );
  }
  return found;
}
