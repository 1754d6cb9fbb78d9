import type { Mutant } from "./mutant.ts";
import {
  acceptsContact,
  changeContacts,
  changeUpserts,
  type Json,
  listOf,
  membershipsOf,
  objectOf,
  rejectsContact,
  textOf,
  without,
} from "./newsletter.ts";

const consentOf = (body: Json): Json => objectOf(body.consent);

/** Valid and invalid upserts. */
export const contactRequestsMutants: Mutant[] = [
  acceptsContact("CONT-5", "a contact without email", (body) =>
    "email" in body ? undefined : { ...body, email: "nobody@readers.example" },
  ),
  acceptsContact("CONT-5", "an email without a domain", (body) =>
    textOf(body.email).endsWith("@") || (body.email && !textOf(body.email).includes("@"))
      ? { ...body, email: "somebody@readers.example" }
      : undefined,
  ),
  acceptsContact("CONT-5", "an email without a local part", (body) =>
    textOf(body.email).startsWith("@") ? { ...body, email: `somebody${textOf(body.email)}` } : undefined,
  ),
  rejectsContact("CONT-5", "an email with a plus sign", "email", ({ email }) => textOf(email).includes("+")),
  acceptsContact("CONT-6", "a contact without list_id", (body) =>
    "list_id" in body ? undefined : { ...body, list_id: 2 },
  ),
  acceptsContact("CONT-6", "a list_id as text", (body) =>
    typeof body.list_id === "string" ? { ...body, list_id: 2 } : undefined,
  ),
  acceptsContact("CONT-6", "a list_id that is a fraction", (body) =>
    Number.isInteger(body.list_id) || typeof body.list_id !== "number" ? undefined : { ...body, list_id: 2 },
  ),
  acceptsContact("CONT-7", "a nonexistent list", (body) =>
    typeof body.list_id === "number" && body.list_id > 1000 ? { ...body, list_id: 2 } : undefined,
  ),
  ...(["first_name", "last_name"] as const).flatMap((name): Mutant[] => {
    const id = name === "first_name" ? "CONT-8" : "CONT-9";
    return [
      acceptsContact(id, `a ${name} of 121 characters`, (body) =>
        textOf(body[name]).length > 120 ? { ...body, [name]: textOf(body[name]).slice(0, 120) } : undefined,
      ),
      acceptsContact(id, `a ${name} that is a number`, (body) =>
        typeof body[name] === "number" ? { ...body, [name]: String(body[name]) } : undefined,
      ),
    ];
  }),
  ...(
    [
      ["CONT-8", "first_name"],
      ["CONT-9", "last_name"],
    ] as const
  ).map(([id, name]) =>
    rejectsContact(
      id,
      `a ${name} of more than 120 bytes`,
      name,
      (body) => Buffer.byteLength(textOf(body[name])) > 120,
    ),
  ),
  acceptsContact("CONT-14", "21 tags", (body) =>
    listOf(body.tags).length > 20 ? { ...body, tags: listOf(body.tags).slice(0, 20) } : undefined,
  ),
  rejectsContact("CONT-14", "20 tags", "tags", ({ tags }) => listOf(tags).length === 20),
  acceptsContact("CONT-14", "a text as tags", (body) =>
    typeof body.tags === "string" ? { ...body, tags: [body.tags] } : undefined,
  ),
  rejectsContact("CONT-15", "a tag of more than 60 bytes", "tags", ({ tags }) =>
    listOf(tags).some((tag) => Buffer.byteLength(textOf(tag)) > 60),
  ),
  acceptsContact("CONT-15", "a tag that is a number", (body) =>
    listOf(body.tags).some((tag) => typeof tag === "number")
      ? { ...body, tags: listOf(body.tags).map(String) }
      : undefined,
  ),
  changeUpserts("CONT-16", "an empty list removes all tags", (response, membership, { body }) => {
    const { tags } = objectOf(body);
    return Array.isArray(tags) && tags.length === 0
      ? { ...response, body: { ...membership, tags: [] } }
      : undefined;
  }),
  changeUpserts("CONT-16", "an update without tags removes all tags", (response, membership, { body }) =>
    "tags" in objectOf(body) ? undefined : { ...response, body: { ...membership, tags: [] } },
  ),
  changeContacts("CONT-16", "a contact record has only one tag", (record) => ({
    ...record,
    lists: membershipsOf({ body: record }).map((one) => ({ ...one, tags: listOf(one.tags).slice(0, 1) })),
  })),
  ...(
    [
      ["CONT-17", "detail"],
      ["CONT-21", "ip"],
      ["CONT-22", "user_agent"],
    ] as const
  ).flatMap(([id, name]): Mutant[] => [
    acceptsContact(id, `a number as consent.${name}`, (body) =>
      typeof consentOf(body)[name] === "number" ? without(body, "consent") : undefined,
    ),
    rejectsContact(
      id,
      `a consent.${name}`,
      `consent.${name}`,
      (body) => typeof consentOf(body)[name] === "string",
    ),
  ]),
  rejectsContact("CONT-21", "an IPv6 address as consent.ip", "consent.ip", (body) =>
    textOf(consentOf(body).ip).includes(":"),
  ),
];
