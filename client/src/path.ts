import type { Row } from "../../generated/client/table.ts";
import { parameterForm, usable } from "./usable.ts";

/**
 * An operation with its path parameter in place, encoded (GEN-9). It is looked at when it is taken apart: within the call, so
 * that a parameter that would lead to another address, which is refused with a TypeError, rejects the call.
 */
export const at = (row: Row, parameter: string): Row => taken(row, parameter) as Iterable<unknown> as Row;

function* taken([method, path]: Row, parameter: string) {
  yield method;
  yield path.replace("{}", encodeURIComponent(usable("path parameter", parameterForm, parameter)));
}
