import type { Message } from "../domain/records.ts";
import type {
  Acceptance,
  AcceptanceOutcome,
  ContactChange,
  ContactDecision,
  ContactOutcome,
  Replay,
} from "../domain/store.ts";
import type { Tables } from "./tables.ts";

type Accepted = Extract<ReturnType<Acceptance["decide"]>, { response: unknown }>;

/** Takes messages or refuses them: looked up, decided and written as one step. */
export function accept(
  tables: Tables,
  acceptance: Acceptance,
  onDue: (dueAt: number) => void,
): Promise<AcceptanceOutcome> {
  const { accountId, now, recipients, idempotency: work } = acceptance;
  return tables.commits.write<{ replay: Replay } | ReturnType<Acceptance["decide"]>, AcceptanceOutcome>(
    () => {
      const replay = work === null ? undefined : tables.idempotency.find(work, now);
      if (replay !== undefined) return { replay };
      return acceptance.decide(tables.suppressions.among(accountId, recipients));
    },
    (decided) => {
      if ("replay" in decided || "error" in decided) return decided;
      return { response: decided.response, replayed: false, used: keep(tables, acceptance, decided, onDue) };
    },
  );
}

function keep(
  tables: Tables,
  acceptance: Acceptance,
  decided: Accepted,
  onDue: (dueAt: number) => void,
): number {
  for (const message of decided.messages) insert(tables, message, onDue);
  if (acceptance.idempotency !== null) tables.idempotency.insert(acceptance.idempotency, decided.response);
  return tables.quota.add(acceptance.accountId, acceptance.now, decided.counted);
}

function insert(tables: Tables, message: Message, onDue: (dueAt: number) => void): void {
  tables.messages.insert(message);
  if (message.dueAt !== null) onDue(message.dueAt);
}

/** Changes a contact, and takes the mail that goes to it because of that: looked up, decided and written as one step. */
export function changeContact<Result>(
  tables: Tables,
  change: ContactChange<Result>,
  onDue: (dueAt: number) => void,
): Promise<ContactOutcome<Result>> {
  const { accountId, email, now, idempotency: work } = change;
  return tables.commits.write<{ replay: Replay } | ContactDecision<Result>, ContactOutcome<Result>>(
    () => {
      const replay = work === null ? undefined : tables.idempotency.find(work, now);
      if (replay !== undefined) return { replay };
      const suppressed = tables.suppressions.among(accountId, [email]).size > 0;
      return change.decide(tables.contacts.find(accountId, email), suppressed);
    },
    (decided) => {
      if ("replay" in decided) return decided;
      if (decided.contact !== undefined) tables.contacts.write(decided.contact);
      if (decided.mail !== undefined) insert(tables, decided.mail, onDue);
      if (work !== null) tables.idempotency.insert(work, decided.response);
      return { response: decided.response, result: decided.result };
    },
  );
}
