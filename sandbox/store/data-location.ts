/** Whether `--data` names a PostgreSQL database rather than a folder. */
export const isPostgres = (data: string): boolean => /^postgres(ql)?:/i.test(data);
