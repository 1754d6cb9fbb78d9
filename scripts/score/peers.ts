import type { MetricId } from "./metrics.ts";

/** When the figures of the peers were measured. */
export const measuredOn = "2026-11-21";

/** The published document of another service, and its figures: percent, or a count. */
export interface Peer {
  name: string;
  /** The name as the head of a column of six. */
  short: string;
  figures: Partial<Record<MetricId, number>>;
}

const metrics: readonly MetricId[] = [
  ...([
    "operations",
    "requestExample",
    "answerExample",
    "clientErrorSchema",
    "status429",
    "answerHeaders",
  ] as const),
  ...(["ability", "describedProperties", "boundedStrings", "boundedArrays", "links"] as const),
];

const peer = (name: string, short: string, ...figures: number[]): Peer => ({
  ...{ name, short },
  figures: Object.fromEntries(metrics.map((metric, index) => [metric, figures[index]])),
});

/** Documents of services of the same kind, and of some that are known for their documents. */
export const peers: readonly Peer[] = [
  peer("Resend", "Resend", 104, 0, 0, 0, 0, 0, 0, 96, 23, 6, 0),
  peer("SendGrid mail", "SGrid", 3, 100, 100, 100, 0, 0, 0, 95, 31, 60, 0),
  peer("Mailtrap transactional", "MTrap", 2, 0, 89, 100, 0, 0, 0, 32, 69, 36, 0),
  peer("Mailchimp transactional", "MChimp", 99, 83, 82, 100, 2, 0, 0, 96, 45, 7, 0),
  peer("Adyen Checkout", "Adyen", 28, 96, 95, 71, 0, 79, 0, 97, 30, 0, 0),
  peer("Box", "Box", 296, 2, 1, 65, 1, 1, 0, 91, 47, 7, 0),
  peer("OpenAI", "OpenAI", 288, 1, 3, 59, 56, 56, 0, 92, 43, 11, 0),
  peer("GitHub", "GitHub", 1223, 100, 35, 64, 0.2, 20, 0, 25, 59, 5, 0),
];
