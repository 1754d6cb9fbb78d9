import type { Client } from "../../../client/src/index.ts";
import type { OperationId } from "../../../generated/operations.ts";

const message = {
  from: "hello@bakery.example",
  to: ["ada@readers.example"],
  subject: "Your bread is ready",
  text: "Come and get it.",
};

/** A time that is not too far ahead, however old the samples become. */
const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

const send = async ({ emails }: Client) => (await emails.send(message)).id;
const schedule = async ({ emails }: Client) => (await emails.send({ ...message, scheduled_at: ahead(1) })).id;

/** Puts something into the sandbox, and says what stands for it. */
type Stand = (client: Client) => Promise<string>;

/**
 * What the samples of an operation take as given: the text that stands for it in them, and how it comes to be. What the demo
 * accounts have needs no row.
 */
export const given: { [Id in OperationId]?: Record<string, Stand> } = {
  getEmail: { "01JD7Q2M4T8VX3W5": send },
  rescheduleEmail: {
    sched_01JD7Q9V5N3K8R: schedule,
    "2026-12-31T18:00:00+01:00": async () => ahead(2),
  },
  cancelEmail: { sched_01JD7Q9V5N3K8R: schedule },
};
