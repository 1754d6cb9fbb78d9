import { isScheduled } from "../email.ts";
import { changeRequests, type Mutant, type RequirementId } from "../mutant.ts";
import { type Json, objectOf, textOf } from "../newsletter.ts";
import { withFields } from "../requests.ts";

const fine = "contract@bakery.example";
const onDomain =
  (domain: string) =>
  (message: Json): boolean =>
    textOf(message.from).endsWith(`@${domain}`);

/** Senders that are not checked. */
const unchecked = (
  requirement: RequirementId,
  title: string,
  isWrong: (message: Json) => boolean,
): Mutant[] => [
  changeRequests(requirement, `a scheduled message is sent from ${title}`, (request) =>
    isScheduled(request) && isWrong(objectOf(request.body)) ? withFields(request, { from: fine }) : undefined,
  ),
];

/** Sending domains that are checked only on some paths. */
export const senderPathMutants: Mutant[] = [
  ...unchecked("ERR-9", "a stopped domain", onDomain("stopped.bakery.example")),
  ...unchecked("ERR-8", "a domain with unfinished verification", onDomain("unverified.bakery.example")),
  ...unchecked(
    "AUTH-17",
    "another account's domain",
    (message) =>
      !/@(\w+\.)?bakery\.example>?$/.test(textOf(message.from)) && textOf(message.from).includes("@"),
  ),
];
