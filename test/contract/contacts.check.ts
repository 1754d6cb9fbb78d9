import { inEach, successesOf } from "./answers.ts";
import { casesOf, tried } from "./bounds.ts";
import { check } from "./check.ts";
import { has, isAsDocumented } from "./laws.ts";

const contact = casesOf("upsertContact", {
  "CONT-5": [["email"]],
  "CONT-6": [["list_id"]],
  "CONT-8": [["first_name"]],
  "CONT-9": [["last_name"]],
  "CONT-13": [["fields.*"]],
  "CONT-14": [["tags"]],
  "CONT-15": [["tags.*"]],
  "CONT-17": [["consent.detail"]],
  "CONT-21": [["consent.ip"]],
  "CONT-22": [["consent.user_agent"]],
  "IDEM-4": [["Idempotency-Key"]],
  "CONT-10": [["fields", "maxProperties"]],
  "ERR-10": [[""], ["fields", "type"], ["consent"]],
});
const records = successesOf("getContact");

check(
  "CONT-3",
  "adding or updating a contact is answered with its membership",
  inEach(successesOf("upsertContact"), isAsDocumented),
);
check("CONT-5", "a contact needs an email", tried(contact["CONT-5"]));
check("CONT-6", "a contact needs a list_id, a whole number", tried(contact["CONT-6"]));
check("CONT-8", "a first_name is a text within its limit", tried(contact["CONT-8"]));
check("CONT-9", "a last_name is a text within its limit", tried(contact["CONT-9"]));
check("CONT-10", "values of custom fields are no more than their limit", tried(contact["CONT-10"]));
check("CONT-13", "a custom field takes null as well as a value", tried(contact["CONT-13"]));
check("CONT-14", "tags of a contact are a list within its limit", tried(contact["CONT-14"]));
check("CONT-15", "a tag of a contact is a text within its limit", tried(contact["CONT-15"]));
check("CONT-17", "a consent may say where the address came from", tried(contact["CONT-17"]));
check("CONT-21", "a consent may give an IP address", tried(contact["CONT-21"]));
check("CONT-22", "a consent may name a browser", tried(contact["CONT-22"]));
check("IDEM-4", "an idempotency key of a contact is no longer than its limit", tried(contact["IDEM-4"]));
check("ERR-10", "every other rule on a contact holds on both its sides", tried(contact["ERR-10"]));

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
