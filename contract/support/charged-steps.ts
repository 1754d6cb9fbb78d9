import type { Tester } from "../engine/tester.ts";
import { bodyOf, idOf } from "./assertions.ts";
import { batchOf, secondsAhead } from "./messages.ts";
import { messageOfOther } from "./other-account.ts";
import {
  countOf,
  type QuotaAccount,
  type Recipients,
  recipientsOfAllKinds,
  simulatedRecipients,
} from "./quota-account.ts";
import { batchEntries } from "./sent-batch.ts";

/** What is done between two readings of the quota; resolves to the number of recipients that it sends to. */
type Step = (account: QuotaAccount) => Promise<number>;

const hour = 3600;

/** Messages that must be rejected: without a subject, and from a nonexistent domain. */
function rejectedMessages(tester: Tester): Record<string, unknown>[] {
  const { subject: _, ...bad } = messageOfOther(tester);
  return [bad, messageOfOther(tester, { from: `contract@${tester.settings.runId}.example` })];
}

/** JSON without its end. */
const brokenOff = (body: object): string => JSON.stringify(body).slice(0, -1);

async function sendTo(account: QuotaAccount, recipients: Recipients): Promise<number> {
  const response = await account.send({ body: messageOfOther(account.tester, recipients) });
  return countOf(recipients, bodyOf(response).suppressed);
}

/** The steps that the checks of the profile `core` need. */
const coreSteps = {
  replayedSend: async (account) => {
    await account.send(account.keyedSend);
    await account.request("sendEmail", account.keyedSend);
    return 1;
  },
  replayedBatch: async (account) => {
    await account.sendBatch(account.keyedBatch);
    await account.request("sendBatch", account.keyedBatch);
    return 1 + (await account.flush());
  },
  rejectedBatch: async (account) => {
    const { tester } = account;
    for (const last of rejectedMessages(tester)) {
      const body = batchOf(messageOfOther(tester), messageOfOther(tester), last);
      await account.request("sendBatch", { body });
    }
    return account.flush();
  },
  wholeBatch: async (account) => {
    const { tester } = account;
    const recipients = recipientsOfAllKinds(tester);
    const body = batchOf(messageOfOther(tester), messageOfOther(tester, recipients));
    const [, last] = batchEntries(await account.sendBatch({ body }));
    return 1 + countOf(recipients, last?.suppressed);
  },
} satisfies Record<string, Step>;

const otherSteps = {
  conflict: async (account) => {
    const { tester, keyedSend, keyedBatch } = account;
    await account.request("sendEmail", { ...keyedSend, body: messageOfOther(tester) });
    await account.request("sendBatch", { ...keyedBatch, body: batchOf(messageOfOther(tester)) });
    return account.flush();
  },
  unreadable: async (account) => {
    const { tester } = account;
    await account.request("sendEmail", { rawBody: brokenOff(messageOfOther(tester)) });
    await account.request("sendBatch", { rawBody: brokenOff(batchOf(messageOfOther(tester))) });
    return account.flush();
  },
  copies: (account) => sendTo(account, recipientsOfAllKinds(account.tester)),
  simulated: (account) => sendTo(account, simulatedRecipients(account.tester)),
  scheduled: async (account) => {
    const { tester } = account;
    const changes = { ...recipientsOfAllKinds(tester), scheduled_at: secondsAhead(tester, hour) };
    account.scheduledId = idOf(await account.send({ body: messageOfOther(tester, changes) }));
    return 0;
  },
  changed: async (account) => {
    const path = { id: account.scheduledId };
    const body = { scheduled_at: secondsAhead(account.tester, 2 * hour) };
    await account.request("rescheduleEmail", { path, body });
    await account.request("cancelEmail", { path });
    return 0;
  },
} satisfies Record<string, Step>;

export type StepName = keyof typeof coreSteps | keyof typeof otherSteps;

/** The steps of a run, in order: later ones use what earlier ones sent. */
export const stepsIn = ({ settings }: Tester): [StepName, Step][] =>
  Object.entries<Step>(settings.profile === "core" ? coreSteps : { ...coreSteps, ...otherSteps }) as [
    StepName,
    Step,
  ][];
