<?php
// Makes a client testable: reads a call per line, calls the client, writes a reply per line.
//
// Put your client in place of the class Client, and an entry for each of its operations into $operations.
// Log to standard error: standard output is for the replies.

/** The service responded with an error. */
class ApiError extends Exception
{
    public function __construct(public int $status, public ?array $detail)
    {
        parent::__construct("status $status");
    }
}

/** Stands for your client, with one operation. */
class Client
{
    public function __construct(private string $baseUrl, private string $key)
    {
    }

    public function getMe(?int $timeout): mixed
    {
        $options = [
            'header' => "Authorization: Bearer {$this->key}\r\nAccept: application/json",
            'ignore_errors' => true,
            'follow_location' => 0,
            'timeout' => ($timeout ?? 30_000) / 1000,
        ];
        $text = @file_get_contents("{$this->baseUrl}/api/v1/me", false, stream_context_create(['http' => $options]));
        if ($text === false) {
            throw new RuntimeException(error_get_last()['message'] ?? 'no response');
        }
        $status = (int) explode(' ', $http_response_header[0])[1];
        if ($status >= 300) {
            throw new ApiError($status, json_decode($text, true)['error'] ?? null);
        }
        return json_decode($text, flags: JSON_THROW_ON_ERROR);
    }
}

$start = json_decode(fgets(STDIN));
$client = new Client($start->baseUrl, $start->key);

// Each operation of the client: a function that returns the response body with the property names of the API, for example
//   'getContact' => fn (object $call) => $client->getContact($call->path->email),
$operations = [
    'getMe' => fn (object $call) => $client->getMe($call->timeout ?? null),
];

function replyTo(callable $operation, object $call): array
{
    try {
        return ['result' => $operation($call)];
    } catch (ApiError $error) {
        $detail = $error->detail ?? [];
        return ['error' => [
            'kind' => 'response',
            'status' => $error->status,
            'type' => $detail['type'] ?? null,
            'fields' => $detail['fields'] ?? null,
            'requestId' => $detail['request_id'] ?? null,
            'message' => (string) $error->getMessage(),
        ]];
    } catch (JsonException $error) { // the client could not read the response
        return ['error' => ['kind' => 'unreadable', 'message' => $error->getMessage()]];
    } catch (RuntimeException $error) {
        return ['error' => ['kind' => 'connection', 'message' => $error->getMessage()]];
    }
}

function write(array $line): void
{
    fwrite(STDOUT, json_encode($line) . "\n");
}

write([
    'protocol' => 1,
    'client' => 'my client 1.0',
    'implementation' => ['name' => 'my client', 'version' => '1.0'], // for --publish
    'operations' => array_keys($operations),
    'retries' => false, // whether the client sends a failed request again
    'idempotencyKeys' => 'explicit', // "automatic" if it creates them
    'timeouts' => true, // whether it ends a call after the timeout
]);
while (($line = fgets(STDIN)) !== false) {
    $call = json_decode($line);
    write(['call' => $call->call] + replyTo($operations[$call->operation], $call));
}
