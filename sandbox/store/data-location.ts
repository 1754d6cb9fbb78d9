import { UserError } from "../../lib/user-error.ts";

/** The store and its data are gone while the sandbox runs. */
export class DataLostError extends UserError {}

/** What starts a database of its own. */
export const embedded = "postgres:embedded";

/** Whether `--data` names a PostgreSQL database rather than a folder. */
export const isPostgres = (data: string): boolean => /^postgres(ql)?:/i.test(data);
