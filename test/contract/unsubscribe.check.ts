import { inEach, successesOf } from "./answers.ts";
import { casesOf, tried } from "./bounds.ts";
import { check } from "./check.ts";
import { isAsDocumented } from "./laws.ts";

const unsubscribe = casesOf("unsubscribeContact", {
  "UNSUB-6": [["list_id"], ["", "properties", "example"]],
  "UNSUB-7": [["reason"]],
  "ERR-10": [["", "type"]],
});

check("UNSUB-6", "an unsubscribe may name a list, by a whole number", tried(unsubscribe["UNSUB-6"]));
check("UNSUB-7", "an unsubscribe may give a reason, a text", tried(unsubscribe["UNSUB-7"]));
check("ERR-10", "every other rule on an unsubscribe holds on both its sides", tried(unsubscribe["ERR-10"]));
check(
  "UNSUB-9",
  "an unsubscribe is answered with the contact record",
  inEach(successesOf("unsubscribeContact"), isAsDocumented),
);
