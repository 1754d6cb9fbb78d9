import { limits } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { type Check, check, type Trial } from "../engine/check.ts";
import type { Call } from "../engine/exchange.ts";
import { NotVerified } from "../engine/promise.ts";
import type { Asked, Tester } from "../engine/tester.ts";
import { missingOf } from "../engine/try.ts";
import { isNotOver } from "./account.ts";
import {
  callToRefuse,
  goodAnswer,
  goodCall,
  later,
  needsOf,
  ofEach,
  operationsOfProduct,
  refused,
  succeeded,
} from "./kit.ts";

const all = operationsOfProduct();
/** One operation of each product, and the one that belongs to none. */
const some = ["sendEmail", "listNewsletterLists", "getMe"] as const;

type Key = Exclude<Call["key"], undefined>;

/** Good calls but for their key, which the server must not know. */
const withKey = (key: (tester: Tester) => Key, asking = callToRefuse) =>
  ofEach(all, some, async (tester, operation) => {
    const asked = await asking(tester, operation);
    refused(await tester.ask(operation, { ...asked, key: key(tester) }), 401, "unauthorized");
  });

/** Calls about something that need not be there, by what is to be sent along. */
const bodies: Partial<Record<OperationId, (tester: Tester) => Asked>> = {
  getEmail: () => ({}),
  rescheduleEmail: (tester) => ({ body: { scheduled_at: later(tester, 7200) } }),
  cancelEmail: () => ({}),
  getContact: () => ({}),
  unsubscribeContact: () => ({ body: {} }),
};

/** The same for keys of no account: what is on an account is out of their sight, so that it need not be there. */
const ofNobody = (key: (tester: Tester) => Key): Trial[] =>
  withKey(key, async (tester, operation) => {
    const isThere = missingOf(tester.run, needsOf(operation)).length === 0;
    return isThere
      ? callToRefuse(tester, operation)
      : { part: "anything@example.com", ...bodies[operation]?.(tester) };
  }).map((trial) =>
    trial.operation !== undefined && trial.operation in bodies ? { ...trial, needs: [] } : trial,
  );

/** Keys that are nearly one of the service, by what is different about them. */
const almost: Record<string, (key: string) => string> = {
  "a key with one letter more": (key) => `${key}0`,
  "a key with one letter less": (key) => key.slice(0, -1),
  "a key with its small letters as capitals": (key) => key.toUpperCase(),
};

/** A call with something in the place of the key that is none. */
const withHeader = (tester: Tester, authorization: string) =>
  tester.ask("getMe", { key: null, headers: { authorization } });

export const authentication: Check[] = [
  check(
    "AUTH-1",
    "a good call with its key as a bearer token is let in",
    {},
    ofEach(all, all, async (tester, operation) => succeeded(await goodAnswer(tester, operation))),
  ),
  check("AUTH-12", "a call without a key is refused with 401 unauthorized", {}, [
    ...ofNobody(() => null),
    {
      title: "the word Bearer alone",
      operation: "getMe",
      run: async (tester) => refused(await withHeader(tester, "Bearer"), 401, "unauthorized"),
    },
  ]),
  check("AUTH-13", "a call with a key that was never issued is refused with 401 unauthorized", {}, [
    ...ofNobody((tester) => ({ text: `contract_unknown_${tester.run.unique()}` })),
    ...Object.entries(almost).map(
      ([title, change]): Trial => ({
        title,
        operation: "getMe",
        run: async (tester) => {
          const key = String(tester.settings.keys.full);
          const text = change(key);
          if (text === key || text === "") throw new NotVerified("keys.full has no such letters.");
          refused(await tester.ask("getMe", { key: { text } }), 401, "unauthorized");
        },
      }),
    ),
  ]),
  check(
    "AUTH-14",
    "a call with a revoked key is refused with 401 unauthorized",
    { needs: ["keys.revoked"] },
    withKey(() => "revoked"),
  ),
  check(
    "AUTH-7",
    "a key that was replaced works on beside the new one",
    { needs: ["keys.replaced"] },
    ofEach(["listNewsletterLists", "getEmail", "sendEmail"], ["getEmail"], async (tester, operation) => {
      const asked: Asked = { ...(await goodCall(tester, operation)), key: "replaced" };
      const exchange = await tester.ask(operation, asked);
      isNotOver(tester, exchange);
      succeeded(exchange);
    }),
  ),
  check(
    "AUTH-7",
    "a key that was replaced works on for no longer than the overlap",
    { needs: ["keys.replaced", "hooks.advanceClock"], tags: ["clock"] },
    async (tester) => {
      // Whether it still works when the overlap is just over is left open.
      await tester.hook("advanceClock", { seconds: (limits.keyOverlap + 1) * 86_400 });
      refused(await tester.ask("getMe", { key: "replaced" }), 401, "unauthorized");
    },
  ),
];
