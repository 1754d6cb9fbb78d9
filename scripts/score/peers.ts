import type { MetricId } from "./metrics.ts";

/** When the figures of the peers were measured. */
export const measuredOn = "2026-11-21";

interface Peer {
  name: string;
  /** The name as the head of a column of six. */
  short: string;
  /** Percent, or a count. */
  figures: Partial<Record<MetricId, number>>;
}

/** The published documents of services of the same kind, and of some that are known for their documents. */
export const peers: readonly Peer[] = [
  {
    name: "Resend",
    short: "Resend",
    figures: {
      operations: 104,
      requestExample: 0,
      answerExample: 0,
      clientErrorSchema: 0,
      status429: 0,
      answerHeaders: 0,
      ability: 0,
      describedProperties: 96,
      boundedStrings: 23,
      boundedArrays: 6,
      links: 0,
    },
  },
  {
    name: "SendGrid mail",
    short: "SGrid",
    figures: {
      operations: 3,
      requestExample: 100,
      answerExample: 100,
      clientErrorSchema: 100,
      status429: 0,
      answerHeaders: 0,
      ability: 0,
      describedProperties: 95,
      boundedStrings: 31,
      boundedArrays: 60,
      links: 0,
    },
  },
  {
    name: "Mailtrap transactional",
    short: "MTrap",
    figures: {
      operations: 2,
      requestExample: 0,
      answerExample: 89,
      clientErrorSchema: 100,
      status429: 0,
      answerHeaders: 0,
      ability: 0,
      describedProperties: 32,
      boundedStrings: 69,
      boundedArrays: 36,
      links: 0,
    },
  },
  {
    name: "Mailchimp transactional",
    short: "MChimp",
    figures: {
      operations: 99,
      requestExample: 83,
      answerExample: 82,
      clientErrorSchema: 100,
      status429: 2,
      answerHeaders: 0,
      ability: 0,
      describedProperties: 96,
      boundedStrings: 45,
      boundedArrays: 7,
      links: 0,
    },
  },
  {
    name: "Adyen Checkout",
    short: "Adyen",
    figures: {
      operations: 28,
      requestExample: 96,
      answerExample: 95,
      clientErrorSchema: 71,
      status429: 0,
      answerHeaders: 79,
      ability: 0,
      describedProperties: 97,
      boundedStrings: 30,
      boundedArrays: 0,
      links: 0,
    },
  },
  {
    name: "Box",
    short: "Box",
    figures: {
      operations: 296,
      requestExample: 2,
      answerExample: 1,
      clientErrorSchema: 65,
      status429: 1,
      answerHeaders: 1,
      ability: 0,
      describedProperties: 91,
      boundedStrings: 47,
      boundedArrays: 7,
      links: 0,
    },
  },
  {
    name: "OpenAI",
    short: "OpenAI",
    figures: {
      operations: 288,
      requestExample: 1,
      answerExample: 3,
      clientErrorSchema: 59,
      status429: 56,
      answerHeaders: 56,
      ability: 0,
      describedProperties: 92,
      boundedStrings: 43,
      boundedArrays: 11,
      links: 0,
    },
  },
  {
    name: "GitHub",
    short: "GitHub",
    figures: {
      operations: 1223,
      requestExample: 100,
      answerExample: 35,
      clientErrorSchema: 64,
      status429: 0.2,
      answerHeaders: 20,
      ability: 0,
      describedProperties: 25,
      boundedStrings: 59,
      boundedArrays: 5,
      links: 0,
    },
  },
];
