import { ClosedError, type InitialState } from "../../domain/store.ts";
import type { Database, Statement } from "./database.ts";
import { Epoch } from "./epoch.ts";
import { all, Group } from "./group.ts";
import { changeEpoch, fillEpoch } from "./initial-state.ts";
import { block } from "./sequence.ts";

/** The current epoch, and whether its settings have changed. */
const readVersion: Statement = {
  name: "read_version",
  text: `SELECT epoch, settings_version AS version FROM workspace JOIN epoch USING (epoch) WHERE name = $1`,
};

/** The same with the settings: one of them may be a whole seed. */
const read: Statement = {
  name: "read_current",
  text: `SELECT epoch, settings_version AS version, setting.name, setting.value
    FROM workspace JOIN epoch USING (epoch) LEFT JOIN setting USING (epoch) WHERE workspace.name = $1`,
};

interface Version {
  epoch: number;
  version: number;
}

type Row = Version & ({ name: string; value: string } | { name: null; value: null });

interface CurrentOptions {
  database: Database;
  workspace: string;
  /** Called after commits of this instance. @param dueAt the earliest due time that was written */
  onCommit(epoch: number, dueAt: number | undefined): void;
}

/** The current epoch of a workspace, as this instance knows it. */
export class Current {
  readonly #options: CurrentOptions;
  readonly #refreshes: Group<null, null>;
  #epoch: Epoch | undefined;
  #resetting: Promise<unknown> = Promise.resolve();

  constructor(options: CurrentOptions) {
    this.#options = options;
    const run = (calls: null[]) => this.#refresh().then(() => all(calls));
    // One after the other: each sees what was committed before its calls.
    this.#refreshes = new Group({ run, size: Number.POSITIVE_INFINITY, concurrent: 1 });
  }

  /** As of the last refresh. */
  get epoch(): Epoch {
    if (this.#epoch === undefined) throw new Error("The epoch is unknown before the first refresh.");
    return this.#epoch;
  }

  /** @throws ClosedError if the workspace does not exist any more */
  async refresh(): Promise<void> {
    await this.#refreshes.add(null);
  }

  /** @returns false if the current epoch has a state already */
  async fill(state: InitialState): Promise<boolean> {
    const filled = await fillEpoch(this.#options.database, this.epoch.number, state);
    await this.refresh();
    return filled;
  }

  async reset(state: InitialState): Promise<void> {
    const reset = this.#reset(state);
    // A refresh in between would begin the same epoch with other numbers.
    this.#resetting = reset.catch(() => {});
    await reset;
  }

  async settled(): Promise<void> {
    await this.#refreshes.settled();
    await this.#resetting;
    await this.epoch.settled();
  }

  async #reset(state: InitialState): Promise<void> {
    const { database, workspace } = this.#options;
    const number = await changeEpoch(database, workspace, state);
    if (number === undefined) throw new ClosedError();
    const epoch = this.#createEpoch(number);
    epoch.sequence.add(block);
    epoch.settings = new Map(Object.entries(state.settings));
    this.#change(epoch);
  }

  async #refresh(): Promise<void> {
    const known = this.#epoch;
    const changes = known?.settingChanges;
    const rows = await this.#changedRows();
    // A reset may be in progress, and this its epoch. A reset that has not committed keeps no request waiting.
    if (rows[0] !== undefined && rows[0].epoch !== known?.number) await this.#resetting;
    // This instance has changed something since the query began: what it has read may be older.
    if (this.#epoch !== known || known?.settingChanges !== changes) return this.#refresh();
    const [first] = rows;
    if (first === undefined) return known?.sequence.keepFilled();
    let epoch = known;
    if (epoch?.number !== first.epoch) epoch = this.#createEpoch(first.epoch);
    epoch.settings = new Map(rows.flatMap(({ name, value }) => (name === null ? [] : [[name, value]])));
    epoch.settingsVersion = first.version;
    await epoch.sequence.keepFilled();
    // A reset in between has begun another one.
    if (epoch !== known && this.#epoch === known) this.#change(epoch);
  }

  /** @returns none if the epoch and its settings are those that are known */
  async #changedRows(): Promise<Row[]> {
    const { database, workspace } = this.#options;
    const { number, settingsVersion } = this.#epoch ?? {};
    if (settingsVersion !== undefined) {
      const [found] = await database.query<Version>(readVersion, [workspace]);
      if (found === undefined) throw new ClosedError();
      if (found.epoch === number && found.version === settingsVersion) return [];
    }
    const rows = await database.query<Row>(read, [workspace]);
    if (rows.length === 0) throw new ClosedError();
    return rows;
  }

  #createEpoch(number: number): Epoch {
    const { database, onCommit } = this.#options;
    return new Epoch(database, number, (dueAt) => onCommit(number, dueAt));
  }

  #change(epoch: Epoch): void {
    this.#epoch?.log.flush().catch(() => {});
    this.#epoch = epoch;
  }
}
