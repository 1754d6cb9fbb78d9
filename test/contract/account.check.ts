import { inEach, successesOf } from "./answers.ts";
import { check } from "./check.ts";
import { isAsDocumented } from "./laws.ts";

check(
  "ME-1",
  "a key can ask about itself, and the answer is as documented",
  inEach(successesOf("getMe"), isAsDocumented),
);
