import { snippetz } from "@scalar/snippetz";
import type { OperationId } from "../../../generated/operations.ts";
import { capitalized } from "../../../lib/text.ts";
import type { ExampleRequest } from "../../document/requests.ts";

/** Writes a request in a language; undefined if the language has no sample of it. */
type Write = (request: ExampleRequest, baseUrl: string) => string | undefined;

/** Makes a program of what the library writes. */
type Finish = (code: string, request: ExampleRequest) => string;

const { print } = snippetz();

/**
 * Writes requests with a library. In its code, EMAIL_API_KEY stands for the API key.
 * @param target the name of the language in the library
 * @param client the name of the HTTP client in the library
 */
const snippet =
  (target: Parameters<typeof print>[0], client: string, finish: Finish): Write =>
  (request, baseUrl) => {
    const { method, path, headers, body } = request;
    const type = body === undefined ? {} : { "Content-Type": "application/json" };
    const all = { Authorization: "Bearer EMAIL_API_KEY", Accept: "application/json", ...type, ...headers };
    const code = print(target, client as never, {
      method,
      url: `${baseUrl}${path}`,
      headers: Object.entries(all).map(([name, value]) => ({ name, value })),
      ...(body === undefined ? {} : { postData: { mimeType: "application/json", text: pretty(body) } }),
    });
    if (code === undefined) throw new TypeError(`the library has no snippets for ${target} ${client}`);
    const program = shortArrays(finish(code, request), target === "php" ? "'" : '"');
    return `${program.trimEnd()}\n`;
  };

/** JSON with a property per line. */
const pretty = (body: unknown): string => JSON.stringify(body, null, 2);

/**
 * Writes arrays of short texts on one line.
 * @param quote the one around texts of the language: a text in it that looks like an array has others, or no line breaks
 */
function shortArrays(code: string, quote = '"'): string {
  const array = new RegExp(`\\[\\n\\s*((?:${quote}[^"'\\n]*${quote},?\\n\\s*)+)\\]`, "g");
  return code.replaceAll(array, (whole: string, entries: string) => {
    const line = entries.trim().replaceAll(/,\n\s*/g, ", ");
    return line.length > 60 ? whole : `[${line}]`;
  });
}

// Each makes a program of what the library writes: imports, the API key from the environment, and the response as output.

/** A long URL has a line of its own. The body is the last option, and indented as its first line is. */
const shell: Finish = (code) =>
  code
    .replace(/^curl (\S{45,})( \\\n {2}--request \w+)?/, "curl$2 \\\n  $1")
    .replace("curl \\\n  --request", "curl --request")
    .replace("'Authorization: Bearer EMAIL_API_KEY'", '"Authorization: Bearer $EMAIL_API_KEY"')
    .replace(/(?<=--data '\{)[\s\S]*/, (rest) => rest.replaceAll("\n", "\n  "));

const python: Finish = (code) => `import os

import requests

response = ${code.replace('"Bearer EMAIL_API_KEY"', "f\"Bearer {os.environ['EMAIL_API_KEY']}\"")}
print(response.status_code, response.text)`;

const go: Finish = (code) =>
  code
    .replace('"net/http"\n', '"net/http"\n\t"os"\n')
    .replace('"Bearer EMAIL_API_KEY"', '"Bearer "+os.Getenv("EMAIL_API_KEY")')
    .replace("res, _ := http.DefaultClient.Do(req)\n", goResponse)
    .replace("fmt.Println(res)", "fmt.Println(res.Status)")
    .replace(/\n\n\}$/, "\n}");

const goResponse = `res, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(err)
	}
`;

/** One header per line. `curl_close` has no effect since PHP 8.0, and is deprecated since 8.5. */
const php: Finish = (code) =>
  `<?php\n\n${code}`
    .replace(/(CURLOPT_HTTPHEADER, \[)(.*)\]\);/, (_, start: string, headers: string) => {
      return `${start}\n  ${headers.replaceAll("', '", "',\n  '")}\n]);`;
    })
    .replace("Bearer EMAIL_API_KEY'", "Bearer ' . getenv('EMAIL_API_KEY')")
    .replace("\n\ncurl_close($ch);", "");

/** The sandbox has no TLS. Without quotes, the text would resolve the escapes of the JSON. */
const ruby: Finish = (code) =>
  code
    .replace("use_ssl = true", 'use_ssl = url.scheme == "https"')
    .replace("'Bearer EMAIL_API_KEY'", '"Bearer #{ENV.fetch("EMAIL_API_KEY")}"')
    .replace("<<~JSON\n", "<<~'JSON'\n");

/** The body is a text block instead of a line with escapes. */
const java: Finish = (code, { operationId, body }) => {
  const statements = code
    .replace(/^java\.io\.ByteArrayOutputStream .*\n.*\n/, () => `String body = ${textBlock(pretty(body))};\n`)
    .replace("ofByteArray(body.toByteArray())", "ofString(body)")
    .replace("java.net.URI.create", "URI.create")
    .replace('"Bearer EMAIL_API_KEY"', '"Bearer " + System.getenv("EMAIL_API_KEY")');
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

class ${capitalized(operationId)} {
  public static void main(String[] arguments) throws Exception {
${indented(statements, "    ")}
  }
}`;
};

const textBlock = (text: string): string => `"""\n${indented(text.replaceAll("\\", "\\\\"), "  ")}\n  """`;

const indented = (text: string, indent: string): string => text.replaceAll(/^(?=.)/gm, indent);

const csharp: Finish = (code) =>
  `using System.Net.Http.Headers;

${code.replace('"EMAIL_API_KEY"', 'Environment.GetEnvironmentVariable("EMAIL_API_KEY")')}
Console.WriteLine(await response.Content.ReadAsStringAsync());`;

/** The request as a call of the TypeScript client; undefined if the client has no method for it. */
function typescriptSample(request: ExampleRequest, baseUrl: string): string | undefined {
  const { method, property } = sampleRows[request.operationId] ?? {};
  if (method === undefined) return undefined;
  const { "Idempotency-Key": idempotencyKey } = request.headers;
  const body = property === undefined ? request.body : (request.body as Record<string, unknown>)[property];
  const values = [
    ...request.pathParameters.map((value) => JSON.stringify(value)),
    ...(Object.keys(request.query).length > 0 ? [literal(request.query)] : []),
    ...(body === undefined ? [] : [literal(body)]),
    ...(idempotencyKey === undefined ? [] : [`{ idempotencyKey: ${JSON.stringify(idempotencyKey)} }`]),
  ];
  return `import { createClient } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: ${JSON.stringify(baseUrl)},
});

const result = await client.${method}(${values.join(", ")});
console.log(result);
`;
}

/** A JSON value as TypeScript: names without quotes. A line that starts with a quoted name and a colon is always a property. */
const literal = (value: unknown): string =>
  shortArrays(pretty(value)).replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, "$1$2:");

/** What the samples of an operation do not take from the document. */
interface SampleRow {
  /** The method of the TypeScript client. Only operations of other documents have no row, and no sample in TypeScript. */
  method: string;
  /** The property of the body that the method takes instead of the body. */
  property?: string;
  /** Another idempotency key than in the document. */
  key?: string;
}

// Each operation has its own idempotency key: a reader may run one sample after the other.
export const sampleRows: Readonly<Record<string, SampleRow>> = {
  sendEmail: { method: "emails.send" },
  sendBatch: { method: "emails.batch.send", property: "emails", key: "receipts-1042-1043" },
  getEmail: { method: "emails.get" },
  rescheduleEmail: { method: "emails.reschedule" },
  cancelEmail: { method: "emails.cancel" },
  listNewsletterLists: { method: "newsletter.lists" },
  listCustomFields: { method: "newsletter.fields" },
  upsertContact: { method: "newsletter.contacts.upsert", key: "order-1042-signup" },
  getContact: { method: "newsletter.contacts.get" },
  unsubscribeContact: { method: "newsletter.contacts.unsubscribe" },
  getMe: { method: "me" },
} satisfies Record<OperationId, SampleRow>;

export interface Language {
  id: string;
  title: string;
  /** The name of the language for the colours of the code; default: its id. */
  highlight?: string;
  write: Write;
  /** A sentence below the sample. */
  note?: string;
}

/** In the order of the tabs. */
export const languages: readonly Language[] = [
  { id: "curl", title: "curl", highlight: "sh", write: snippet("shell", "curl", shell) },
  { id: "typescript", title: "TypeScript", highlight: "ts", write: typescriptSample },
  { id: "python", title: "Python", write: snippet("python", "requests", python) },
  { id: "go", title: "Go", write: snippet("go", "native", go) },
  { id: "php", title: "PHP", write: snippet("php", "curl", php) },
  { id: "ruby", title: "Ruby", write: snippet("ruby", "native", ruby) },
  { id: "java", title: "Java", write: snippet("java", "nethttp", java) },
  {
    id: "csharp",
    title: "C#",
    write: snippet("csharp", "httpclient", csharp),
    note: "This sample is not tested.",
  },
];
