import { accountOf, addressOf, advanceBy, advanceTo, confirmContact } from "../control/actions.ts";
import { ControlRefusal, type SiteAnswer } from "../control/answer.ts";
import { length, time } from "../control/input.ts";
import type { GatewayServices } from "../control/parts.ts";
import { seeOther } from "./layout.ts";

/** What a form sent. */
export type Fields = URLSearchParams;

/** Does the work of a form, and says where to go from there. */
export type FormWork = (parts: GatewayServices, fields: Fields) => Promise<SiteAnswer>;

const move: FormWork = async (parts, fields) => {
  const local = fields.get("local");
  const input = {
    advance: fields.get("advance") ?? undefined,
    to: local === null ? (fields.get("to") ?? undefined) : `${local}Z`,
  };
  const by = length(input, "advance");
  const to = time(input, "to");
  if (by !== undefined) await advanceBy(parts, by);
  // The next message may have gone by itself since the page was made.
  else if (to !== undefined && (local !== null || to > parts.clock.now())) await advanceTo(parts, to);
  return seeOther("/clock");
};

const confirm: FormWork = async (parts, fields) => {
  const listId = Number(fields.get("list_id"));
  await confirmContact(parts, fields.get("email") ?? "", listId);
  const owner = parts
    .directory()
    .accounts()
    .find(({ id }) => parts.directory().list(id, listId) !== undefined);
  return seeOther(`/contacts?account=${encodeURIComponent(owner?.id ?? "")}`);
};

const suppress: FormWork = async (parts, fields) => {
  const account = accountOf(parts, fields.get("account") ?? undefined);
  const reason = (fields.get("reason") ?? "").slice(0, 200) || "hard bounce";
  await parts.store.suppress(account.id, addressOf(fields.get("address") ?? ""), reason, parts.clock.now());
  return seeOther(`/suppressions?account=${encodeURIComponent(account.id)}`);
};

const lift: FormWork = async (parts, fields) => {
  const account = accountOf(parts, fields.get("account") ?? undefined);
  await parts.store.unsuppress(account.id, addressOf(fields.get("address") ?? ""));
  return seeOther(`/suppressions?account=${encodeURIComponent(account.id)}`);
};

const reset: FormWork = async (parts) => {
  await parts.reset();
  return seeOther("/");
};

/** The forms of the pages by the address that they are sent to. */
export const forms: Readonly<Record<string, FormWork>> = Object.freeze({
  "/clock": move,
  "/contacts/confirm": confirm,
  "/suppressions": suppress,
  "/suppressions/lift": lift,
  "/reset": reset,
});

/**
 * Reads what a form sent.
 *
 * @throws ControlRefusal for bytes that are not text
 */
export function fieldsOf(body: Uint8Array | null): Fields {
  try {
    return new URLSearchParams(new TextDecoder("utf-8", { fatal: true }).decode(body ?? new Uint8Array()));
  } catch {
    throw new ControlRefusal(422, "The form is not text.", "Send it from the page.");
  }
}
