import { inEach, successesOf } from "./answers.ts";
import { Bounds, tried } from "./bounds.ts";
import { check } from "./check.ts";
import { has, isAsDocumented } from "./laws.ts";

const contact = new Bounds("upsertContact");
const records = successesOf("getContact");

check(
  "CONT-3",
  "adding or updating a contact is answered with its membership",
  inEach(successesOf("upsertContact"), isAsDocumented),
);
check("CONT-5", "a contact needs an email", tried(contact.of("email")));
check("CONT-6", "a contact needs a list_id, a whole number", tried(contact.of("list_id")));
check("CONT-8", "a first_name is a text within its limit", tried(contact.of("first_name")));
check("CONT-9", "a last_name is a text within its limit", tried(contact.of("last_name")));
check(
  "CONT-10",
  "values of custom fields are no more than their limit",
  tried(contact.of("fields", "maxProperties")),
);
check("CONT-13", "a custom field takes null as well as a value", tried(contact.of("fields.*")));
check("CONT-14", "tags of a contact are a list within its limit", tried(contact.of("tags")));
check("CONT-15", "a tag of a contact is a text within its limit", tried(contact.of("tags.*")));
check("CONT-17", "a consent may say where the address came from", tried(contact.of("consent.detail")));
check("CONT-21", "a consent may give an IP address", tried(contact.of("consent.ip")));
check("CONT-22", "a consent may name a browser", tried(contact.of("consent.user_agent")));
check(
  "IDEM-4",
  "an idempotency key of a contact is no longer than its limit",
  tried(contact.of("Idempotency-Key")),
);
check("ERR-10", "every other rule on a contact holds on both its sides", tried(contact.rest()));

check("CONT-23", "looking up a contact gives its record as documented", inEach(records, isAsDocumented));
check("CONT-23", "a contact record has its email", inEach(records, has("/email", "email, an address")));
check(
  "CONT-24",
  "a contact record says whether marketing e-mail is kept from it",
  inEach(records, has("/marketing_blocked", "marketing_blocked, true or false")),
);
check(
  "CONT-25",
  "a contact record has its memberships in lists",
  inEach(records, has("/lists", "lists, a list of memberships")),
);
