import { limits } from "../../generated/limits.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import { configured, NotVerified } from "../engine/assert.ts";
import { type Check, check, type Need, type TestCase, testCase } from "../engine/check.ts";
import { missingNeeds } from "../engine/run-case.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { RawRequest, RequestOptions } from "../exchange.ts";
import { assertError, assertSuccess, requestOk, skipIfOverlapEnded } from "../support/assertions.ts";
import { newContact } from "../support/contacts.ts";
import { plainListOf, readOnce } from "../support/lists.ts";
import { messageCases, messageFrom, senderCases, unknownSender } from "../support/message-cases.ts";
import {
  batchOf,
  emailNeeds,
  hour,
  message,
  messageOfOther,
  otherVerifiedSender,
  secondsAhead,
  sender,
  senderOf,
  senderOn,
} from "../support/messages.ts";
import {
  anyPath,
  casePerOperation,
  needsOf,
  okResponse,
  operationsOfProduct,
  requestToReject,
  validRequest,
} from "../support/requests.ts";
import { days } from "../support/scheduled-messages.ts";
import { casePerChange } from "../support/unchanged.ts";

const all = operationsOfProduct();
/** One operation of each product, and the one without a product. */
const some = ["sendEmail", "listNewsletterLists", "getMe"] as const;

type Key = Exclude<RawRequest["key"], undefined>;

/** Valid requests, except that the server must reject the key. */
const withKey = (key: (tester: Tester) => Key, requestOf = requestToReject) =>
  casePerOperation(all, some, async (tester, operation) => {
    const options = await requestOf(tester, operation);
    assertError(await tester.request(operation, { ...options, key: key(tester) }), 401, "unauthorized");
  });

const withPath = all.filter((id) => operations[id].pathParameters.length > 0);

/** The same with keys of no account: these requests need no existing object. */
const anyResource = (key: (tester: Tester) => Key): TestCase[] =>
  withKey(key, async (tester, operation) => {
    if (missingNeeds(tester.settings, needsOf(operation)).length === 0)
      return requestToReject(tester, operation);
    const body = operation === "rescheduleEmail" ? { scheduled_at: secondsAhead(tester, 7200) } : {};
    return { path: anyPath(operation), ...(operations[operation].requestBody !== null && { body }) };
  }).map((testCase) =>
    withPath.some((id) => id === testCase.operation) ? { ...testCase, needs: [] } : testCase,
  );

const similarKeys: Record<string, (key: string) => string> = {
  "a key with one character too many": (key) => `${key}0`,
  "a key with one character too few": (key) => key.slice(0, -1),
  "a key in upper case": (key) => key.toUpperCase(),
  "a long key": (key) => key + "0".repeat(2_000),
};

export const authentication: Check[] = [
  check(
    ["AUTH-1", "GEN-1", "VER-1"],
    "a valid request to its documented path, with its key as a bearer token, is accepted",
    casePerOperation(all, all, async (tester, operation) =>
      assertSuccess(await okResponse(tester, operation)),
    ),
  ),
  check("AUTH-12", "a request without a key is rejected with 401 unauthorized, and changes nothing", [
    ...anyResource(() => null),
    ...casePerChange(null, 401, "unauthorized"),
    testCase("before a valid one", { operation: "getMe", needs: ["keys.second"] }, async (tester) => {
      assertError(await tester.request("getMe", { key: null }), 401, "unauthorized");
      await requestOk(tester, "getMe", { key: "second" });
    }),
    ...["Bearer", "Basic dTpw"].map((header) =>
      testCase(`${header} as credentials`, { operation: "getMe" }, async (tester) => {
        const headers = { authorization: header };
        assertError(await tester.request("getMe", { key: null, headers }), 401, "unauthorized");
      }),
    ),
  ]),
  check("AUTH-13", "a request with a key that was never issued is rejected with 401 unauthorized", [
    ...anyResource((tester) => ({ text: `contract_unknown_${tester.run.unique()}`, isMadeUp: true })),
    ...Object.entries(similarKeys).map(([title, change]) =>
      testCase(title, { operation: "getMe" }, async (tester) => {
        const key = String(tester.settings.keys.full);
        const text = change(key);
        if (text === key || text === "") throw new NotVerified("keys.full has no such characters.");
        assertError(await tester.request("getMe", { key: { text } }), 401, "unauthorized");
      }),
    ),
  ]),
  check(
    "AUTH-14",
    "a request with a revoked key is rejected with 401 unauthorized, and changes nothing",
    { needs: ["keys.revoked"] },
    [...withKey(() => "revoked"), ...casePerChange("revoked", 401, "unauthorized")],
  ),
  check(
    "AUTH-7",
    "a replaced key keeps working next to the new one",
    { needs: ["keys.replaced"] },
    casePerOperation(
      ["listNewsletterLists", "getEmail", "sendEmail"],
      ["getEmail"],
      async (tester, operation) => {
        const options: RequestOptions = { ...(await validRequest(tester, operation)), key: "replaced" };
        const exchange = await tester.request(operation, options);
        skipIfOverlapEnded(tester, exchange);
        assertSuccess(exchange);
      },
    ),
  ),
  check(
    "AUTH-7",
    "a replaced key stops working after the overlap",
    { needs: ["keys.replaced", "hooks.advanceClock"], tags: ["clock"] },
    casePerOperation(all, ["getMe"], async (tester, operation) => {
      await tester.once("the end of the overlap", (own) =>
        own.hook("advanceClock", { seconds: limits.keyOverlap * days + hour }),
      );
      const options = await requestToReject(tester, operation);
      assertError(await tester.request(operation, { ...options, key: "replaced" }), 401, "unauthorized");
    }),
  ),
];

/** The requirement on each ability, the key that has no other one, one of its operations, and keys that lack it. */
const abilityRows = [
  ["AUTH-8", "email:send", "sendOnly", "getEmail", "readOnly", "manageOnly"],
  ["AUTH-9", "newsletter:read", "readOnly", "getContact", "manageOnly", "sendOnly"],
  ["AUTH-10", "newsletter:manage", "manageOnly", "upsertContact", "readOnly", "sendOnly"],
] as const;

const withAbility = (ability: string) => all.filter((id) => operations[id].ability === ability);

const allowed = abilityRows.map(([id, ability, key, core]) =>
  check(
    id,
    `a key with only ${ability} can use every operation that requires it`,
    { needs: [`keys.${key}`] },
    casePerOperation(withAbility(ability), [core], async (tester, operation) =>
      requestOk(tester, operation, { ...(await validRequest(tester, operation)), key }),
    ),
  ),
);

/** The profile `core` includes only the first key. */
const forbidden = abilityRows.map(([id, ability, , , ...keys]) =>
  check(
    [id, "AUTH-15"],
    `a request without ${ability} is rejected with 403 forbidden`,
    keys.flatMap((key) =>
      casePerOperation(
        withAbility(ability),
        key === keys[0] ? all : [],
        { suffix: ` with the key ${key}`, needs: [`keys.${key}`] },
        async (tester, operation) => {
          const options = await requestToReject(tester, operation);
          assertError(await tester.request(operation, { ...options, key }), 403, "forbidden");
        },
      ),
    ),
  ),
);

const restricted = { key: "restricted", fine: messageFrom(senderOn("restricted")) } as const;

export const abilities: Check[] = [
  ...allowed,
  ...forbidden,
  check(
    "AUTH-15",
    "a request rejected for a missing ability changes nothing",
    { needs: ["keys.readOnly"] },
    casePerChange("readOnly", 403, "forbidden"),
  ),
  check(
    "AUTH-5",
    "a key restricted to a domain can send from that domain",
    { needs: ["keys.restricted", "domains.restricted", "simulatorDomain"] },
    messageCases(messageFrom(senderOn("restricted")), assertSuccess, restricted),
  ),
  check(
    ["AUTH-5", "AUTH-17"],
    "a key restricted to a domain is rejected with 403 send_rejected for any other domain",
    { needs: ["keys.restricted", "domains.restricted", ...emailNeeds] },
    senderCases(otherVerifiedSender, [403], restricted),
  ),
  check(
    ["SEND-4", "AUTH-17", "ERR-11"],
    "a send from a domain of no or another account is rejected with send_rejected",
    { needs: emailNeeds },
    [
      ...senderCases(unknownSender, [403, 422]),
      ...senderCases((tester) => senderOf(tester, "otherAccount"), [403, 422], {
        title: "domain of another account, ",
        core: false,
      }),
      ...senderCases(sender, [403, 422], {
        title: "with a key of another account, ",
        core: false,
        key: "otherAccount",
        fine: messageOfOther,
        needs: ["keys.otherAccount"],
      }),
    ],
  ),
  check(
    ["AUTH-19", "ERR-11"],
    "a send from an account without a verified domain is rejected with send_rejected",
    { needs: ["keys.noDomain", ...emailNeeds] },
    senderCases(sender, [403, 422], { key: "noDomain", isShared: true }),
  ),
  check(
    ["SEND-4", "ERR-8"],
    "a send from a domain with unfinished verification is rejected with 409 send_rejected",
    { needs: ["domains.unfinished", ...emailNeeds] },
    senderCases(senderOn("unfinished"), [409]),
  ),
  check(
    "ERR-9",
    "a send from a domain stopped for sending is rejected with 409 send_rejected",
    { needs: ["domains.stopped", ...emailNeeds] },
    senderCases(senderOn("stopped"), [409]),
  ),
];

export const accounts: Check[] = [
  check(
    "AUTH-4",
    "all keys of an account access the same data, each within its abilities",
    { needs: ["keys.second"] },
    casePerOperation(withPath, ["getEmail", "getContact"], async (tester, operation) =>
      requestOk(tester, operation, { ...(await validRequest(tester, operation)), key: "second" }),
    ),
  ),
];

/** Something that the account without the product has, so that only the product is missing in a request about it. */
interface Owned {
  needs: readonly Need[];
  options(tester: Tester): RequestOptions;
}

const ownedDomain = (body: (message: Record<string, unknown>) => object): Owned => ({
  needs: ["domains.ofRole.noPlan", "simulatorDomain"],
  options: (tester) => ({ body: body(message(tester, { from: senderOf(tester, "noPlan") })) }),
});

const ownedContact = (options: (contact: { email: string; list: number }) => RequestOptions): Owned => ({
  needs: ["contacts.noNewsletter"],
  options: ({ settings }) =>
    options(configured(settings.fixtures.contacts?.noNewsletter, "contacts.noNewsletter")),
});

const owned: Partial<Record<OperationId, Owned>> = {
  sendEmail: ownedDomain((one) => one),
  sendBatch: ownedDomain((one) => batchOf(one)),
  upsertContact: ownedContact(({ email, list }) => ({ body: { email, list_id: list } })),
  getContact: ownedContact(({ email }) => ({ path: { email } })),
  unsubscribeContact: ownedContact(({ email }) => ({ path: { email }, body: {} })),
};

const noPlanCases = (product: string, role: Role, core: readonly OperationId[]): TestCase[] =>
  operationsOfProduct(product).map((operation) => {
    const isOfMessage = operations[operation].pathParameters.some((name) => name === "id");
    const needs = isOfMessage ? emailNeeds : (owned[operation]?.needs ?? []);
    return testCase(operation, { operation, core: core.includes(operation), needs }, async (tester) => {
      const { noPlan: id } = tester.settings.fixtures.messages ?? {};
      const options = isOfMessage
        ? { ...(await requestToReject(tester, operation)), ...(id && { path: { id } }) }
        : owned[operation]?.options(tester);
      const exchange = await tester.request(operation, { ...options, key: role });
      // Without the configured message it is about one that the account does not have. Which error comes first is unspecified.
      if (isOfMessage && id === undefined && exchange.status === 404)
        throw new NotVerified(
          "The account of keys.noPlan has no such message, and messages.noPlan is not configured.",
        );
      assertError(exchange, 402, "no_plan");
    });
  });

export const products: Check[] = [
  check(
    ["AUTH-16", "AUTH-18"],
    "email requests of an account without an email plan are rejected with 402 no_plan",
    { needs: ["keys.noPlan"] },
    noPlanCases("email", "noPlan", ["sendEmail", "getEmail"]),
  ),
  check(
    ["AUTH-16", "AUTH-20"],
    "newsletter requests of an account without the newsletter are rejected with 402 no_plan",
    { needs: ["keys.noNewsletter"] },
    noPlanCases("newsletter", "noNewsletter", ["listNewsletterLists"]),
  ),
  check("AUTH-21", "newsletter requests work without an email plan", { needs: ["keys.noPlan"] }, [
    testCase("lists", { operation: "listNewsletterLists" }, (tester) => readOnce(tester, "lists", "noPlan")),
    testCase("custom fields", { operation: "listCustomFields" }, async (tester) =>
      requestOk(tester, "listCustomFields", { key: "noPlan" }),
    ),
    testCase("contacts", { operation: "upsertContact" }, async (tester) => {
      const email = newContact(tester);
      const key = "noPlan";
      const list_id = await plainListOf(tester, key);
      await requestOk(tester, "upsertContact", { key, body: { email, list_id } });
      await requestOk(tester, "getContact", { key, path: { email } });
      await requestOk(tester, "unsubscribeContact", { key, path: { email }, body: {} });
    }),
  ]),
];
