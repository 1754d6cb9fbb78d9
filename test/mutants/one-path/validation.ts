import { isScheduled } from "../email.ts";
import { type Applies, changeRequests, type Mutant, type RequirementId } from "../mutant.ts";
import { firstPairs, listOf, objectOf, textOf } from "../newsletter.ts";

const recipient = "success@simulator.example";

/** Accepts an invalid property, by repairing it. */
const repairs = (
  requirement: RequirementId,
  title: string,
  applies: Applies,
  name: string,
  repair: (value: unknown) => unknown,
): Mutant =>
  changeRequests(requirement, `accepts ${title}`, (request) => {
    const body = objectOf(request.body);
    return applies(request) && name in body
      ? { ...request, body: { ...body, [name]: repair(body[name]) } }
      : undefined;
  });

const inHeaders =
  (change: (name: string, value: unknown) => [string, unknown]) =>
  (headers: unknown): unknown =>
    Object.fromEntries(Object.entries(objectOf(headers)).map(([name, value]) => change(name, value)));
const addresses = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((one) => (/^[^@\s]+@[^@\s]+$/.test(textOf(one)) ? one : recipient))
    : value;

/** Rules that are not applied to scheduled sends. */
const rules: [title: string, name: string, repair: (value: unknown) => unknown][] = [
  ["a display name in from", "from", (from) => textOf(from).replace(/^.*<(.*)>$/, "$1")],
  ["a text as to", "to", (to) => (typeof to === "string" ? [to] : to)],
  ["51 recipients in to", "to", (to) => listOf(to).slice(0, 50)],
  ["51 recipients in cc", "cc", (cc) => listOf(cc).slice(0, 50)],
  ["51 recipients in bcc", "bcc", (bcc) => listOf(bcc).slice(0, 50)],
  ["an invalid address in to", "to", addresses],
  ["a subject of 999 characters", "subject", (subject) => textOf(subject).slice(0, 998)],
  ["21 tags", "tags", (tags) => firstPairs(tags, 20)],
  [
    "a space in the name of a tag",
    "tags",
    inHeaders((name, value) => [name.replaceAll(/[^\w:.-]/g, "_"), value]),
  ],
  ["11 headers", "headers", (headers) => firstPairs(headers, 10)],
  [
    "a header with any name",
    "headers",
    inHeaders((name, value) => [/^(X-|List-Unsubscribe)/.test(name) ? name : `X-${name}`, value]),
  ],
  [
    "a line break in a header",
    "headers",
    inHeaders((name, value) => [name, textOf(value).replaceAll(/[\r\n]/g, " ")]),
  ],
  [
    "an invalid reply_to",
    "reply_to",
    (address) => (/^[^@\s]+@[^@\s]+$/.test(textOf(address)) ? address : recipient),
  ],
];

const ofScheduled: Mutant[] = rules.map(([title, name, repair]) =>
  repairs("SCHED-6", `${title} in a scheduled send`, isScheduled, name, repair),
);

/** Rules of a send that hold on all paths but one. */
export const validationMutants: Mutant[] = ofScheduled;
