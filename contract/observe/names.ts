import { isObject } from "../../lib/is-object.ts";
import { type Exchange, errorOf, namedFields } from "../exchange.ts";
import { entriesIn } from "../model/world.ts";
import type { Verdict } from "./verdict.ts";

interface Rule {
  ids: readonly string[];
  /** The properties of a message that the error can be about. */
  faulty: readonly string[];
}

const recipients = ["to", "cc", "bcc"];

/** The errors that no invalid property causes, by status and type. */
const rules: Record<string, Rule> = {
  "401 unauthorized": { ids: ["AUTH-12", "AUTH-13"], faulty: [] },
  "402 no_plan": { ids: ["AUTH-16"], faulty: [] },
  "403 forbidden": { ids: ["AUTH-15"], faulty: [] },
  "403 send_rejected": { ids: ["SEND-4", "AUTH-17"], faulty: ["from"] },
  "409 send_rejected": { ids: ["ERR-8", "ERR-9"], faulty: ["from"] },
  "422 send_rejected": { ids: ["ERR-11", "SEND-36"], faulty: ["from", ...recipients] },
  "429 send_rejected": { ids: ["LIMIT-7"], faulty: [] },
};

/** `error.fields` names no property of the request that cannot be at fault. */
export function ofNames(exchange: Exchange): Verdict[] {
  const rule = rules[`${exchange.status} ${errorOf(exchange)?.type}`];
  const { body } = exchange.request;
  if (rule === undefined || !isObject(body)) return [];
  const messages = entriesIn<unknown>(body.emails ?? [body]).filter(isObject);
  const valid = messages.flatMap(Object.keys).filter((name) => !rule.faulty.includes(name));
  const named = namedFields(exchange).map((name) => name.replace(/^emails\.\d+\./, "").replace(/\..*$/s, ""));
  if (!named.some((name) => valid.includes(name))) return [];
  const title = "error.fields names only what is at fault";
  const expected =
    rule.faulty.length === 0 ? "no error.fields" : `error.fields with ${rule.faulty.join(", ")} alone`;
  return [{ ids: rule.ids, title, passes: false, expected }];
}
