import { header } from "../common/notice.ts";
import type { OpenApiDocument } from "../document/types.ts";

/** The time at which all examples are valid together. */
export const examplesFile = ({ "x-example-time": time }: OpenApiDocument): string =>
  `${header}/** The time at which all examples of the document are valid together. */\n` +
  `export const exampleTime = ${JSON.stringify(time)};\n`;
