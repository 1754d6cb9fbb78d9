import type { DueRun, IdempotencyRecord, Replay, SettingChange } from "../../domain/store.ts";
import type { Database } from "./database.ts";
import { runDue } from "./due.ts";
import { all, Group } from "./group.ts";
import { earliestDue } from "./message-rows.ts";
import { Messages } from "./messages.ts";
import { rateGroup } from "./rate.ts";
import { RequestLog } from "./request-log.ts";
import { Sequence } from "./sequence.ts";
import { changeSetting } from "./settings.ts";
import { Suppressions } from "./suppressions.ts";
import { runWrites } from "./write.ts";
import { replayOf, type Write, type WriteOutcome } from "./write-decide.ts";
import { readReplays } from "./write-read.ts";

/** The most writes in one transaction, and transactions at the same time: while one is being committed, the next one is decided. */
const writeGroups = { size: 64, concurrent: 3 };

/** Numbers for the ids of one acceptance: a batch has at most this many messages. */
const idsPerWrite = 100;

interface Recall {
  idempotency: Pick<IdempotencyRecord, "scope" | "key">;
  now: number;
}

type ChangeArguments<Result> = [name: string, change: (value: string | undefined) => SettingChange<Result>];

/** Gets the earliest due time that a commit has written; undefined if it has changed something else that lists show. */
export type OnCommit = (dueAt: number | undefined) => void;

/** What belongs to the time between two resets. Calls that began before a reset end in their own epoch. */
export class Epoch {
  readonly number: number;
  readonly sequence: Sequence;
  readonly messages: Messages;
  readonly suppressions: Suppressions;
  readonly log: RequestLog;
  readonly rates: ReturnType<typeof rateGroup>;
  readonly writes: Group<Write, WriteOutcome>;
  readonly recalls: Group<Recall, Replay | undefined>;
  /** As of the last refresh or change. */
  settings: ReadonlyMap<string, string> = new Map();
  /** That of the last refresh; undefined before. */
  settingsVersion: number | undefined;
  /** How often this instance has changed settings. */
  settingChanges = 0;
  readonly #database: Database;
  readonly #onCommit: OnCommit;
  #lastRun: Promise<unknown> = Promise.resolve();
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(database: Database, number: number, onCommit: OnCommit) {
    this.#database = database;
    this.#onCommit = onCommit;
    this.number = number;
    this.sequence = new Sequence(database, number);
    this.messages = new Messages(database, number);
    this.suppressions = new Suppressions(database, number);
    this.log = new RequestLog(database, number);
    this.rates = rateGroup(database, number);
    this.writes = new Group({ run: (writes) => this.#write(writes), ...writeGroups });
    const recall = (recalls: Recall[]) => this.#recall(recalls).then(all);
    this.recalls = new Group({ run: recall, size: 256, concurrent: 1 });
  }

  /** One change of this instance after the other, in the order of the calls. */
  changeSetting<Result>(...[name, change]: ChangeArguments<Result>): Promise<Result> {
    const ended = this.#lastChange.then(async () => {
      const { value, result } = await changeSetting(this.#database, this.number, name, change);
      this.#setSetting(name, value);
      return result;
    });
    this.#lastChange = ended.catch(() => {});
    return ended;
  }

  #setSetting(name: string, value: string | undefined): void {
    const changed = new Map(this.settings);
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
    this.settings = changed;
    this.settingChanges += 1;
    // Another instance may have changed the same setting since, and a refresh may have read that: the next one reads them again.
    this.settingsVersion = undefined;
  }

  /** One run of this instance after the other: they would skip each other's messages. */
  runDue(run: DueRun): Promise<number> {
    const ended = this.#lastRun.then(async () => {
      const { steps, setting } = await runDue(this.#database, this.number, run);
      if (setting !== undefined) this.#setSetting(setting.name, setting.value);
      if (steps > 0) this.#onCommit(undefined);
      return steps;
    });
    this.#lastRun = ended.catch(() => {});
    return ended;
  }

  /** Resolves once everything that was called has ended. */
  async settled(): Promise<void> {
    await Promise.all([this.rates, this.writes, this.recalls].map((group) => group.settled()));
    await Promise.all([this.#lastRun, this.#lastChange]);
    await this.log.flush().catch(() => {});
  }

  async #write(writes: Write[]) {
    // The other groups may take theirs at the same time.
    await this.sequence.ensure(writes.length * idsPerWrite * writeGroups.concurrent);
    const { rows, results } = await this.#database.session((session) =>
      runWrites(session, this.number, writes),
    );
    if (rows.messages.length > 0 || rows.contacts.size > 0) this.#onCommit(earliestDue(rows.messages));
    return results;
  }

  async #recall(recalls: Recall[]): Promise<(Replay | undefined)[]> {
    const keys = recalls.map(({ idempotency }) => idempotency);
    const replays = await this.#database.session((session) => readReplays(session, this.number, keys));
    return recalls.map((recall) => replayOf(recall, { replays }));
  }
}
