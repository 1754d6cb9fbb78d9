import { operations } from "../../../../generated/operations.ts";
import { accountOf, type Role } from "../../engine/settings.ts";
import { type Allowed, rejected } from "../allowed.ts";
import type { Context, ModelRequest } from "../world.ts";
import { messagesIn } from "./recipients.ts";

/** The abilities of the keys that lack some. */
const abilities: Partial<Record<Role, readonly string[]>> = {
  sendOnly: ["email:send"],
  readOnly: ["newsletter:read"],
  manageOnly: ["newsletter:manage"],
};

/** The requirements of abilities and products. */
const idsOf: Record<string, string> = {
  "email:send": "AUTH-8",
  "newsletter:read": "AUTH-9",
  "newsletter:manage": "AUTH-10",
  email: "AUTH-18",
  newsletter: "AUTH-20",
};

/** What a request by a key verifies that is not rejected. */
const ofKey: Partial<Record<Role, string>> = {
  second: "AUTH-4",
  sendOnly: "AUTH-8",
  readOnly: "AUTH-9",
  manageOnly: "AUTH-10",
  otherAccount: "AUTH-2",
  noPlan: "AUTH-21",
};

export const idsOfKey = (key: Role): string[] => [ofKey[key] ?? []].flat();

/** The product that an account lacks. */
const missingProduct: Partial<Record<Role, string>> = { noPlan: "email", noNewsletter: "newsletter" };

/** The errors that a request gets for its key or its account, and for the sender of its messages. */
export function rejectionsOfAccess(request: ModelRequest, context: Context): Allowed[] {
  const { ability, product } = operations[request.operation];
  const { key } = request;
  const has = abilities[key];
  if (key === "revoked") return [rejected(["AUTH-14"], "401.unauthorized")];
  return [
    ...(has !== undefined && ability !== null && !has.includes(ability)
      ? [rejected(["AUTH-15", idsOf[ability] ?? ""], "403.forbidden")]
      : []),
    ...(product !== null && missingProduct[key] === product
      ? [rejected(["AUTH-16", idsOf[product] ?? ""], "402.no_plan")]
      : []),
    ...messagesIn(request).flatMap(({ from }) => rejectionsOfSender(key, from, context)),
  ];
}

function rejectionsOfSender(key: Role, from: unknown, { fixtures: { domains = {} } }: Context): Allowed[] {
  const domain = /^[^\s<>@]+@([^\s<>@]+)$/.exec(String(from))?.[1];
  // Another value is invalid.
  if (domain === undefined) return [];
  if (key === "noDomain") return otherDomain;
  const { verified, restricted, unfinished, stopped } = domains;
  const isMain = accountOf(key) === "full";
  const own = isMain ? [verified, restricted, unfinished, stopped] : [domains.ofRole?.[key]];
  return [
    // A key restricted to one domain cannot send from another one of the account.
    ...(key === "restricted" && domain !== restricted
      ? [rejected(["AUTH-5", "AUTH-17"], "403.send_rejected")]
      : []),
    ...(isMain && domain === unfinished ? [rejected(["ERR-8"], "409.send_rejected")] : []),
    ...(isMain && domain === stopped ? [rejected(["ERR-9"], "409.send_rejected")] : []),
    ...(key === "atCeiling" ? [rejected(["LIMIT-7"], "429.send_rejected")] : []),
    ...(own.includes(domain) ? [] : otherDomain),
  ];
}

/** For a domain that the account does not have, which of the two is unspecified. */
const otherDomain: Allowed[] = [
  rejected(["AUTH-17"], "403.send_rejected"),
  rejected(["ERR-11"], "422.send_rejected"),
];
