import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import { respondsWith, response } from "../service/disturbances.ts";

export const errorChecks: ClientCheck[] = [
  check("ERR-14", "a 500 is an error, whatever its body", [
    ...[
      { title: "without a body", made: response(500) },
      {
        title: "with an HTML body",
        made: response(500, { headers: { "content-type": "text/html" }, body: "<h1>Oops</h1>" }),
      },
    ].map(({ title, made }) =>
      testCase(title, { operation: "listNewsletterLists" }, async (tester) => {
        const called = await tester.call("listNewsletterLists", {
          disturb: Array(20).fill(respondsWith(made)),
        });
        const { kind, status } = called.error;
        called.assert(kind === "response" && status === 500, "an error with status 500");
      }),
    ),
  ]),
];
