import type { Client } from "../../../client/src/index.ts";

const message = {
  from: "hello@bakery.example",
  to: ["ada@readers.example"],
  subject: "Your bread is ready",
  text: "Come and get it.",
};

const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/**
 * Text of the samples that only exists in the sandbox after a request, or only for some time, and the value to replace it
 * with. Whatever the demo accounts have needs no placeholder.
 */
export const placeholders: Record<string, (client: Client) => Promise<string>> = {
  "01JD7Q2M4T8VX3W5": async ({ emails }) => (await emails.send(message)).id,
  sched_01JD7Q9V5N3K8R: async ({ emails }) =>
    (await emails.send({ ...message, scheduled_at: hoursFromNow(1) })).id,
  "2026-12-31T18:00:00+01:00": async () => hoursFromNow(2),
};
