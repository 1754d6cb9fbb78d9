import { type Finish, pretty } from "./snippet.ts";

// Each makes a program of what the library writes: imports, the API key from the environment, and the response as output.

/** The body is the last option, and indented as its first line is. */
export const shell: Finish = (code) =>
  code
    .replace("'Authorization: Bearer EMAIL_API_KEY'", '"Authorization: Bearer $EMAIL_API_KEY"')
    .replace(/(?<=--data '\{)[\s\S]*/, (rest) => rest.replaceAll("\n", "\n  "));

export const python: Finish = (code) => `import os

import requests

response = ${code.replace('"Bearer EMAIL_API_KEY"', "f\"Bearer {os.environ['EMAIL_API_KEY']}\"")}
print(response.status_code, response.text)`;

export const go: Finish = (code) =>
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
export const php: Finish = (code) =>
  `<?php\n\n${code}`
    .replace(/(CURLOPT_HTTPHEADER, \[)(.*)\]\);/, (_, start: string, headers: string) => {
      return `${start}\n  ${headers.replaceAll("', '", "',\n  '")}\n]);`;
    })
    .replace("Bearer EMAIL_API_KEY'", "Bearer ' . getenv('EMAIL_API_KEY')")
    .replace("\n\ncurl_close($ch);", "");

/** Without quotes, the text would resolve the escapes of the JSON. */
export const ruby: Finish = (code) =>
  code
    .replace("'Bearer EMAIL_API_KEY'", '"Bearer #{ENV.fetch("EMAIL_API_KEY")}"')
    .replace("<<~JSON\n", "<<~'JSON'\n");

/** The body is a text block instead of a line with escapes. */
export const java: Finish = (code, { operationId, body }) => {
  const statements = code
    .replace(/^java\.io\.ByteArrayOutputStream .*\n.*\n/, () => `String body = ${textBlock(pretty(body))};\n`)
    .replace("ofByteArray(body.toByteArray())", "ofString(body)")
    .replace("java.net.URI.create", "URI.create")
    .replace('"Bearer EMAIL_API_KEY"', '"Bearer " + System.getenv("EMAIL_API_KEY")');
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

class ${className(operationId)} {
  public static void main(String[] arguments) throws Exception {
${indented(statements, "    ")}
  }
}`;
};

/** The name of the class is that of its file. */
export const className = (operationId: string): string =>
  `${operationId.slice(0, 1).toUpperCase()}${operationId.slice(1)}`;

const textBlock = (text: string): string => `"""\n${indented(text.replaceAll("\\", "\\\\"), "  ")}\n  """`;

const indented = (text: string, indent: string): string => text.replaceAll(/^(?=.)/gm, indent);

export const csharp: Finish = (code) =>
  `using System.Net.Http.Headers;

${code.replace('"EMAIL_API_KEY"', 'Environment.GetEnvironmentVariable("EMAIL_API_KEY")')}
Console.WriteLine(await response.Content.ReadAsStringAsync());`;
