import * as textFile from "../../lib/text-file.ts";
import { root } from "./paths.ts";

/** A file as messages name it: relative to the package (`openapi/paths/emails.yaml`) if it lies in it. */
export const displayPath = (file: string): string => textFile.displayPath(file, root);
