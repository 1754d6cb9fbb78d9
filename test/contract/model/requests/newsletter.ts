import { accountOf } from "../../engine/settings.ts";
import type { ContactDetails, ListName, NewsletterStep } from "../steps/newsletter.ts";
import { contactOf, type Json, type ModelRequest, type World } from "../world.ts";
import { pick, type Sequence, withKey } from "./sequence.ts";

type RequestStep = Exclude<NewsletterStep, { do: "confirm" }>;

/** The request of a step. */
export const newsletterRequest = (step: RequestStep, sequence: Sequence, world: World): ModelRequest =>
  step.do === "add"
    ? withKey(addition(step, sequence), step.keyed, sequence)
    : unsubscription(step, sequence, world);

/** The email address of a contact of the sequence. */
const contactEmail = (contact: number, { name, fixtures }: Sequence): string =>
  `contract-${name}-c${contact}@${fixtures.contactDomain ?? "example.com"}`;

const listOf = (name: ListName, { fixtures: { lists = {} } }: Sequence): number | undefined =>
  lists[name] ?? lists.plain;

function addition(step: Extract<NewsletterStep, { do: "add" }>, sequence: Sequence): ModelRequest {
  const email = contactEmail(step.contact, sequence);
  const body = {
    email: step.upper ? email.toUpperCase() : email,
    list_id: listOf(step.list, sequence),
    ...step.details,
    ...fieldsOf(step.details, sequence),
  };
  return { operation: "upsertContact", key: step.key, body };
}

function fieldsOf({ fields }: ContactDetails, { fixtures: { fields: keys = {} } }: Sequence): Json {
  if (fields === undefined) return {};
  const pairs = Object.entries(fields).flatMap(([type, value]) => {
    const key = keys[type as keyof typeof keys];
    return key === undefined ? [] : [[key, value] as const];
  });
  return { fields: Object.fromEntries(pairs) };
}

function unsubscription(
  { key, contact: number, list }: Extract<NewsletterStep, { do: "unsubscribe" }>,
  sequence: Sequence,
  world: World,
): ModelRequest {
  const email = contactEmail(number, sequence);
  const contact = contactOf(world, accountOf(key), email);
  const { otherAccount } = sequence.fixtures.lists ?? {};
  const left =
    list === "otherAccount"
      ? otherAccount
      : list === null
        ? undefined
        : pick([...(contact?.memberships.keys() ?? [])], list);
  return {
    operation: "unsubscribeContact",
    key,
    path: { email },
    body: left === undefined ? {} : { list_id: left },
  };
}

/** Another body for the same idempotency key. */
export const changedContact = (body: Json, _change: number): Json => ({ ...body, tags: ["changed"] });
