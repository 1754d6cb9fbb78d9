import { errors } from "../mutations/errors.ts";
import { examples } from "../mutations/examples.ts";
import { headers } from "../mutations/headers.ts";
import { limits } from "../mutations/limits.ts";
import { operations } from "../mutations/operations.ts";
import { schemas } from "../mutations/schemas.ts";
import { tables } from "../mutations/tables.ts";
import { unspecified } from "../mutations/unspecified.ts";
import type { Defect, Defects } from "./edit.ts";

const topics: Record<string, Defects> = {
  operations,
  headers,
  errors,
  schemas,
  limits,
  examples,
  unspecified,
  tables,
};

/** Every defect of the bundle, with its topic and what is wrong. */
export const defects: (Defect & { topic: string; name: string })[] = Object.entries(topics).flatMap(
  ([topic, list]) => Object.entries(list).map(([name, defect]) => ({ topic, name, ...defect })),
);
