import { inEach, successesOf } from "./answers.ts";
import { check } from "./check.ts";
import { has, isAsDocumented } from "./laws.ts";

const lists = successesOf("listNewsletterLists");
const fields = successesOf("listCustomFields");

check("LIST-1", "the newsletter lists are given as documented", inEach(lists, isAsDocumented));
check("LIST-1", "the newsletter lists stand in lists", inEach(lists, has("/lists", "lists, a list")));
check(
  "LIST-2",
  "a newsletter list has a whole number as its id",
  inEach(lists, has("/lists/*/id", "id, a whole number, in each list")),
);
check(
  "LIST-3",
  "a newsletter list has a name",
  inEach(lists, has("/lists/*/name", "name, a text, in each list")),
);
check(
  "LIST-4",
  "a newsletter list says whether subscribers confirm first",
  inEach(lists, has("/lists/*/double_opt_in", "double_opt_in, true or false, in each list")),
);
check("LIST-5", "the custom fields are given as documented", inEach(fields, isAsDocumented));
check("LIST-5", "the custom fields stand in fields", inEach(fields, has("/fields", "fields, a list")));
check(
  "LIST-6",
  "a custom field has a key",
  inEach(fields, has("/fields/*/key", "key, a text, in each field")),
);
check(
  "LIST-7",
  "a custom field has a label",
  inEach(fields, has("/fields/*/label", "label, a text, in each field")),
);
check(
  "LIST-8",
  "a custom field is of one of four types",
  inEach(fields, has("/fields/*/type", "type, one of text, number, date and url, in each field")),
);
check(
  "LIST-10",
  "a custom field has a fallback, which may be null",
  inEach(fields, has("/fields/*/fallback", "fallback, a text or null, in each field")),
);
