import { inEach, successesOf } from "./answers.ts";
import { check, type Trial } from "./check.ts";
import { has } from "./laws.ts";

const single = successesOf("upsertContact");
const listed = [...successesOf("getContact"), ...successesOf("unsubscribeContact")];

/** A field of a membership, by itself and in the record of a contact. */
const field = (name: string, kind: string): Trial[] => [
  ...inEach(single, has(`/${name}`, `${name}, ${kind}`)),
  ...inEach(listed, has(`/lists/*/${name}`, `${name}, ${kind}, in each membership`)),
];

check("MEMB-1", "a membership names its list by a whole number", field("list_id", "a whole number"));
check("MEMB-2", "a membership has the email in lower case", field("email", "an address in lower case"));
check(
  "MEMB-3",
  "the status of a membership is one of its five states",
  field("status", "one of the five states"),
);
check("MEMB-4", "a membership explains its status", field("status_description", "a text"));
check("MEMB-5", "a membership has a first_name or null", field("first_name", "a text or null"));
check("MEMB-6", "a membership has a last_name or null", field("last_name", "a text or null"));
check("MEMB-7", "a membership has values of custom fields", field("fields", "an object"));
check("MEMB-8", "a membership has tags as a list", field("tags", "a list of texts"));
check("MEMB-9", "a membership tells when it began, or null", field("subscribed_at", "a time or null"));
check(
  "MEMB-10",
  "a membership tells when the contact left, or null",
  field("unsubscribed_at", "a time or null"),
);
