import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { validate } from "@apidevtools/swagger-parser";
import { expect, test } from "vitest";
import { generatedFolder } from "../../scripts/common/paths.ts";

/** A copy of the document each time: the parser resolves references in place. */
const read = async (file: string) => JSON.parse(await readFile(join(generatedFolder, file), "utf8"));

test.for(["openapi.json", "openapi-3.0.json", "openapi-flat.json"])(
  "swagger-parser accepts %s",
  async (file) => {
    const { info } = await validate(await read(file));
    expect(info.title).toBe("Email API");
  },
);

test("swagger-parser rejects an error in the document", async () => {
  const document = await read("openapi.json");
  document.paths["/api/v1/me"].get.responses = [];
  await expect(validate(document)).rejects.toThrow("responses");
});
