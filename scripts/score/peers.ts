import type { MetricId } from "./metrics.ts";

/** When the figures of the peers were measured. */
export const measuredOn = "2026-11-21";

const measured = [
  "operations",
  "requestExample",
  "responseExample",
  "clientErrorSchema",
  "status429",
  "responseHeaders",
  "ability",
  "describedProperties",
  "boundedStrings",
  "boundedArrays",
  "links",
] as const satisfies MetricId[];

const rows: [name: string, columnHead: string, figures: number[]][] = [
  ["Resend", "Resend", [104, 0, 0, 0, 0, 0, 0, 96, 23, 6, 0]],
  ["SendGrid mail", "SGrid", [3, 100, 100, 100, 0, 0, 0, 95, 31, 60, 0]],
  ["Mailtrap transactional", "MTrap", [2, 0, 89, 100, 0, 0, 0, 32, 69, 36, 0]],
  ["Mailchimp transactional", "MChimp", [99, 83, 82, 100, 2, 0, 0, 96, 45, 7, 0]],
  ["Adyen Checkout", "Adyen", [28, 96, 95, 71, 0, 79, 0, 97, 30, 0, 0]],
  ["Box", "Box", [296, 2, 1, 65, 1, 1, 0, 91, 47, 7, 0]],
  ["OpenAI", "OpenAI", [288, 1, 3, 59, 56, 56, 0, 92, 43, 11, 0]],
  ["GitHub", "GitHub", [1223, 100, 35, 64, 0.2, 20, 0, 25, 59, 5, 0]],
];

/** The published documents of similar services, and some well-known documents: percentages, or counts. */
export const peers = rows.map(([name, head, figures]) => ({
  name,
  head,
  figures: Object.fromEntries(measured.map((metric, index) => [metric, figures[index]])),
}));
