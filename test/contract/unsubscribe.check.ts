import { inEach, successesOf } from "./answers.ts";
import { Bounds, tried } from "./bounds.ts";
import { check } from "./check.ts";
import { isAsDocumented } from "./laws.ts";

const unsubscribe = new Bounds("unsubscribeContact");

check(
  "UNSUB-6",
  "an unsubscribe may name a list, by a whole number",
  tried([...unsubscribe.of("list_id"), ...unsubscribe.of("", "properties", "example")]),
);
check("UNSUB-7", "an unsubscribe may give a reason, a text", tried(unsubscribe.of("reason")));
check("ERR-10", "every other rule on an unsubscribe holds on both its sides", tried(unsubscribe.rest()));
check(
  "UNSUB-9",
  "an unsubscribe is answered with the contact record",
  inEach(successesOf("unsubscribeContact"), isAsDocumented),
);
