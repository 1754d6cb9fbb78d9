import type { Acceptance, AcceptanceOutcome, ContactChange, ContactOutcome, Replay } from "./store.ts";
import type { Tables } from "./tables.ts";

type Accepted = Extract<ReturnType<Acceptance["decide"]>, { answer: unknown }>;

/** Takes messages or refuses them: looked up, decided and written as one step. */
export function accept(
  tables: Tables,
  acceptance: Acceptance,
  onDue: (dueAt: number) => void,
): Promise<AcceptanceOutcome> {
  const { accountId, now, recipients, work } = acceptance;
  return tables.turns.write<{ replay: Replay } | ReturnType<Acceptance["decide"]>, AcceptanceOutcome>(
    () => {
      const replay = work === null ? undefined : tables.works.find(work, now);
      if (replay !== undefined) return { replay };
      return acceptance.decide(tables.suppressions.among(accountId, recipients));
    },
    (decided) => {
      if ("replay" in decided || "refusal" in decided) return decided;
      return { answer: decided.answer, replayed: false, used: keep(tables, acceptance, decided, onDue) };
    },
  );
}

function keep(
  tables: Tables,
  acceptance: Acceptance,
  decided: Accepted,
  onDue: (dueAt: number) => void,
): number {
  for (const message of decided.messages) {
    tables.messages.insert(message);
    if (message.dueAt !== null) onDue(message.dueAt);
  }
  if (acceptance.work !== null) tables.works.insert(acceptance.work, decided.answer);
  return tables.quota.add(acceptance.accountId, acceptance.now, decided.counted);
}

/** Changes a contact: looked up, decided and written as one step. */
export function changeContact<Result>(
  tables: Tables,
  change: ContactChange<Result>,
): Promise<ContactOutcome<Result>> {
  const { accountId, email, now, work } = change;
  return tables.turns.write<{ replay: Replay } | ReturnType<typeof change.decide>, ContactOutcome<Result>>(
    () => {
      const replay = work === null ? undefined : tables.works.find(work, now);
      return replay === undefined ? change.decide(tables.contacts.find(accountId, email)) : { replay };
    },
    (decided) => {
      if ("replay" in decided) return decided;
      if (decided.contact !== undefined) tables.contacts.write(decided.contact);
      if (work !== null) tables.works.insert(work, decided.answer);
      return { answer: decided.answer, result: decided.result };
    },
  );
}
