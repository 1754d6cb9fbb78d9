import { limits } from "../../../generated/limits.ts";
import { type Check, check, type Trial } from "../engine/check.ts";
import { type Exchange, isSuccess } from "../engine/exchange.ts";
import { given, must } from "../engine/promise.ts";
import type { Tester } from "../engine/tester.ts";
import { journey, mailNeeds } from "./journeys.ts";
import { batch, equal, good, message, objectIn, refused, send, shown, simulated, succeeded } from "./kit.ts";
import { inAnyOrder } from "./records.ts";

/** Trials of a message on its own and as one of a batch. */
const alone = { title: "sendEmail", operation: "sendEmail", core: true } as const;
const inBatch = { title: "sendBatch", operation: "sendBatch", core: true } as const;

/** Hands in a message on its own, or in a batch. */
const handIn = (
  tester: Tester,
  operation: "sendEmail" | "sendBatch",
  body: Record<string, unknown>,
): Promise<Exchange> => tester.ask(operation, { body: operation === "sendEmail" ? body : batch(body) });

/** A message to somebody who can be written to, and to somebody who sending has stopped to. */
const partlySuppressed = (tester: Tester): Promise<{ to: string; gone: string; exchange: Exchange }> =>
  tester.once("a send that is partly suppressed", async (own) => {
    const [gone] = given(own.settings.fixtures.suppressed, "suppressed");
    const to = simulated(own);
    const exchange = await own.ask("sendEmail", { body: message(own, { to: [to, gone] }) });
    return { to, gone: String(gone), exchange };
  });

const foreign =
  (domainOf: (tester: Tester) => string) =>
  (operation: "sendEmail" | "sendBatch") =>
  async (tester: Tester): Promise<void> => {
    const from = `contract@${domainOf(tester)}`;
    refused(await handIn(tester, operation, message(tester, { from })), [403, 422], "send_rejected");
  };
const fromNowhere = foreign(({ run }) => `contract-${run.settings.runId}.example`);
const fromOther = foreign(({ settings }) =>
  given(settings.fixtures.domains?.ofRole?.otherAccount, "domains.ofRole.otherAccount"),
);
const fromUnfinished =
  (operation: "sendEmail" | "sendBatch") =>
  async (tester: Tester): Promise<void> => {
    const from = `contract@${given(tester.settings.fixtures.domains?.unfinished, "domains.unfinished")}`;
    refused(await handIn(tester, operation, message(tester, { from })), 409, "send_rejected");
  };

const notVerified: Trial[] = [
  { ...alone, title: "sendEmail, from a domain that nobody has", run: fromNowhere("sendEmail") },
  { ...inBatch, title: "sendBatch, from a domain that nobody has", run: fromNowhere("sendBatch") },
  {
    ...alone,
    title: "sendEmail, from a domain of another account",
    core: false,
    run: fromOther("sendEmail"),
  },
  {
    ...inBatch,
    title: "sendBatch, from a domain of another account",
    core: false,
    run: fromOther("sendBatch"),
  },
  {
    ...alone,
    title: "sendEmail, from a domain that is not verified yet",
    core: false,
    needs: ["domains.unfinished"],
    run: fromUnfinished("sendEmail"),
  },
  {
    ...inBatch,
    title: "sendBatch, from a domain that is not verified yet",
    core: false,
    needs: ["domains.unfinished"],
    run: fromUnfinished("sendBatch"),
  },
];

const suppressing = ["suppressed", ...mailNeeds] as const;

export const sending: Check[] = [
  check("SEND-1", "a message that is posted can be found", { needs: mailNeeds }, async (tester) => {
    const { id, body, looks } = await journey(tester, "success");
    const [first] = looks;
    equal(first, "id", (first?.json as { id?: unknown } | undefined)?.id, id);
    equal(first, "subject", (first?.json as { subject?: unknown } | undefined)?.subject, body.subject);
  }),
  check(
    "SEND-4",
    "a from address on a domain that the account has not verified is refused with send_rejected",
    { needs: mailNeeds },
    notVerified,
  ),
  check(
    "SEND-9",
    "a subject of as many characters as the limit is taken, however many bytes they are",
    { needs: mailNeeds },
    [
      {
        ...alone,
        core: false,
        run: (tester) => takes(tester, { subject: "é".repeat(limits.subjectLength) }),
      },
    ],
  ),
  check("SEND-14", "a send may name a published template", { needs: ["template", ...mailNeeds] }, [
    { ...alone, run: (tester) => templated(tester, "sendEmail") },
    { ...inBatch, core: false, run: (tester) => templated(tester, "sendBatch") },
    {
      ...alone,
      title: "sendEmail: one that there is not",
      run: async (tester) => isRefused(await handIn(tester, "sendEmail", unknownTemplate(tester))),
    },
    {
      ...inBatch,
      title: "sendBatch: one that there is not",
      core: false,
      run: async (tester) => isRefused(await handIn(tester, "sendBatch", unknownTemplate(tester))),
    },
  ]),
  check(
    "SEND-23",
    "a tag value of as many characters as the limit is taken, however many bytes they are",
    { needs: mailNeeds },
    [
      {
        ...alone,
        core: false,
        run: (tester) => takes(tester, { tags: { order: "é".repeat(limits.messageTagValueLength) } }),
      },
    ],
  ),
  check("SEND-33", "the answer lists in to the recipients that the message goes to", { needs: mailNeeds }, [
    {
      title: "one recipient",
      core: true,
      run: async (tester) => {
        const { body, answer } = await journey(tester, "success");
        equal(answer, "to", inAnyOrder(objectIn(answer).to), body.to);
      },
    },
    {
      title: "three recipients",
      needs: ["recipientDomain"],
      run: async (tester) => {
        const to = [1, 2, 3].map(() => recipient(tester));
        const answer = await good(tester, "sendEmail", { body: message(tester, { to }) });
        equal(answer, "to", inAnyOrder(objectIn(answer).to), inAnyOrder(to));
      },
    },
    {
      title: "without those who are suppressed",
      core: true,
      needs: ["suppressed"],
      run: async (tester) => {
        const { to, exchange } = await partlySuppressed(tester);
        equal(exchange, "to", objectIn(exchange).to, [to]);
      },
    },
  ]),
  check("SEND-34", "the answer lists in suppressed the recipients that were left out", {}, [
    {
      title: "one of two",
      core: true,
      needs: suppressing,
      run: async (tester) => {
        const { gone, exchange } = await partlySuppressed(tester);
        equal(exchange, "suppressed", objectIn(exchange).suppressed, [gone]);
      },
    },
    {
      title: "nobody",
      core: true,
      needs: mailNeeds,
      run: async (tester) => {
        const { answer } = await journey(tester, "success");
        equal(answer, "suppressed", objectIn(answer).suppressed, []);
      },
    },
    {
      title: "as soon as sending has stopped",
      needs: ["hooks.suppress", "recipientDomain", ...mailNeeds],
      run: stopsAtOnce,
    },
  ]),
  check(
    "SEND-35",
    "a suppressed recipient does not make a send fail while others remain",
    { needs: suppressing },
    [
      { ...alone, run: async (tester) => succeeded((await partlySuppressed(tester)).exchange) },
      {
        ...inBatch,
        core: false,
        run: async (tester) => {
          const to = [simulated(tester), ...(tester.settings.fixtures.suppressed ?? [])];
          succeeded(await handIn(tester, "sendBatch", message(tester, { to })));
        },
      },
    ],
  ),
  check(
    "SEND-36",
    "a send whose recipients are all suppressed is refused with 422 send_rejected",
    { needs: suppressing },
    [
      { ...alone, run: (tester) => allSuppressed(tester, "sendEmail") },
      { ...inBatch, run: (tester) => allSuppressed(tester, "sendBatch") },
    ],
  ),
];

const takes = async (tester: Tester, changes: Record<string, unknown>): Promise<void> =>
  succeeded(await tester.ask("sendEmail", { body: message(tester, changes) }));

const recipient = (tester: Tester): string =>
  `contract-${tester.run.unique()}@${given(tester.settings.fixtures.recipientDomain, "recipientDomain")}`;

const byTemplate = (tester: Tester, template_id: string): Record<string, unknown> => {
  const { subject: _, text: __, ...rest } = message(tester);
  return { ...rest, template_id, variables: tester.settings.fixtures.template?.variables ?? {} };
};

async function templated(tester: Tester, operation: "sendEmail" | "sendBatch"): Promise<void> {
  const { id } = given(tester.settings.fixtures.template, "template");
  succeeded(await handIn(tester, operation, byTemplate(tester, id)));
}

const unknownTemplate = (tester: Tester): Record<string, unknown> =>
  byTemplate(tester, `no-template-${tester.run.unique()}`);

/** The answer says that the client has to ask for something else. */
export function isRefused(exchange: Exchange): void {
  must(exchange.status >= 400 && exchange.status < 500, exchange, {
    expected: "a refusal with a status of 400 to 499",
    found: isSuccess(exchange)
      ? `status ${exchange.status}, ${shown(exchange.json)}`
      : `status ${exchange.status}`,
  });
}

async function stopsAtOnce(tester: Tester): Promise<void> {
  const gone = recipient(tester);
  await send(tester, { to: [gone] });
  await tester.hook("suppress", { address: gone });
  const body = message(tester, { to: [simulated(tester), gone] });
  const answer = await good(tester, "sendEmail", { body });
  equal(answer, "suppressed", objectIn(answer).suppressed, [gone]);
}

async function allSuppressed(tester: Tester, operation: "sendEmail" | "sendBatch"): Promise<void> {
  const to = given(tester.settings.fixtures.suppressed, "suppressed");
  refused(await handIn(tester, operation, message(tester, { to })), 422, "send_rejected");
}
