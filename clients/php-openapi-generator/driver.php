<?php

// Lets the client suite call the client: a call per line of standard input, a reply per line of standard output.

use GuzzleHttp\Client;
use OpenAPI\Client\Api\AccountApi;
use OpenAPI\Client\Api\EmailsApi;
use OpenAPI\Client\Api\NewsletterApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model;
use OpenAPI\Client\Model\ModelInterface;

require 'vendor/autoload.php';
require 'reliable.php';

/** A value of JSON as the client's users write it: a model, a list, a DateTime or the value. */
function fromJson(string $type, mixed $value): mixed
{
    global $reliable;
    if ($reliable && $value === [] && str_starts_with($type, 'array<')) return (object) []; // see README.md
    if ($type === '\DateTime') return new DateTime($value);
    if (str_ends_with($type, '[]')) return array_map(fn ($item) => fromJson(substr($type, 0, -2), $item), $value);
    if (!is_a($type, ModelInterface::class, true)) return $value;
    $properties = [];
    foreach ($value as $name => $inner) $properties[$name] = fromJson($type::openAPITypes()[$name], $inner);
    return new $type($properties);
}

function toJson(mixed $value, string $type = 'mixed'): mixed
{
    if ($value instanceof DateTime) return $value->format('Y-m-d\TH:i:s.uP');
    if (is_array($value)) return str_starts_with($type, 'array<') ? (object) $value : array_map('toJson', $value);
    if (!$value instanceof ModelInterface) return $value;
    $properties = [];
    foreach ($value::getters() as $name => $getter) {
        $properties[$value::attributeMap()[$name]] = toJson($value->$getter(), $value::openAPITypes()[$name]);
    }
    return (object) array_filter($properties, fn ($property) => $property !== null);
}

function call(stdClass $call, Client $http, Configuration $configuration): mixed
{
    $emails = new EmailsApi($http, $configuration);
    $newsletter = new NewsletterApi($http, $configuration);
    $body = fn (string $type) => isset($call->body) ? fromJson($type, json_decode(json_encode($call->body), true)) : null;
    $key = $call->idempotencyKey ?? null;
    return match ($call->operation) {
        'sendEmail' => $emails->sendEmail($body(Model\SendRequest::class), $key),
        'sendBatch' => $emails->sendBatch($body(Model\BatchRequest::class), $key),
        'getEmail' => $emails->getEmail($call->path->id),
        'rescheduleEmail' => $emails->rescheduleEmail($call->path->id, $body(Model\RescheduleRequest::class)),
        'cancelEmail' => $emails->cancelEmail($call->path->id),
        'listNewsletterLists' => $newsletter->listNewsletterLists(),
        'listCustomFields' => $newsletter->listCustomFields(),
        'upsertContact' => $newsletter->upsertContact($body(Model\ContactRequest::class), $key),
        'getContact' => $newsletter->getContact($call->path->email),
        'unsubscribeContact' => $newsletter->unsubscribeContact($call->path->email, $body(Model\UnsubscribeRequest::class)),
        'getMe' => (new AccountApi($http, $configuration))->getMe(),
    };
}

function errorOf(Throwable $failure): array
{
    $message = (string) $failure;
    $isSent = $failure instanceof ApiException || str_contains($failure->getTraceAsString(), 'deserialize');
    $kind = match (true) {
        !$isSent => 'not sent',
        str_contains($message, 'cURL error 28') => 'timeout',
        str_contains($message, 'cURL error') => 'connection',
        $failure->getCode() >= 300 => 'response',
        default => 'unreadable',
    };
    if ($kind !== 'response') return ['kind' => $kind, 'message' => $message];
    $error = Reliable::errorOf($failure->getResponseBody());
    $detail = ['type' => $error->getType(), 'fields' => $error->getFields(), 'requestId' => $error->getRequestId()];
    return ['kind' => $kind, 'status' => $failure->getCode(), 'message' => $message] + $detail;
}

function write(array $line): void
{
    echo json_encode($line, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION), "\n";
}

$reliable = in_array('--reliable', $argv, true);
$start = json_decode(fgets(STDIN));
$configuration = $reliable
    ? new ReliableConfiguration($start->baseUrl, $start->key)
    : (new Configuration())->setHost($start->baseUrl)->setAccessToken($start->key);
preg_match_all("/^        '(\w+)' =>/m", file_get_contents(__FILE__), $operations);
write([
    'protocol' => 1,
    'client' => 'openapi-generator php',
    'operations' => $operations[1],
    'retries' => $reliable,
    'idempotencyKeys' => $reliable ? 'automatic' : 'explicit',
    'timeouts' => true,
    'printed' => print_r($configuration, true),
]);
$create = fn (float $timeout) => $reliable ? Reliable::http($timeout ?: 120) : new Client(['timeout' => $timeout]);
$default = $create(0);
while (($line = fgets(STDIN)) !== false) {
    $call = json_decode($line);
    $http = isset($call->timeout) ? $create($call->timeout / 1000) : $default;
    try {
        write(['call' => $call->call, 'result' => toJson(call($call, $http, $configuration))]);
    } catch (Throwable $failure) {
        write(['call' => $call->call, 'error' => errorOf($failure)]);
    }
}
