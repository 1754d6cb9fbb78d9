<?php

use GuzzleHttp\Client;
use GuzzleHttp\Exception\TransferException;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Promise\Create;
use GuzzleHttp\Promise\PromiseInterface;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\ErrorDetail;
use OpenAPI\Client\Model\ErrorResponse;
use OpenAPI\Client\ObjectSerializer;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;

/** Retries and idempotency keys for a client that OpenAPI Generator generated. */
final class Reliable
{
    private const ATTEMPTS = 4;
    private const WITH_KEY = '~/v1/(emails|emails/batch|newsletter/contacts)$~';

    /** An HTTP client whose calls end after `$timeout` seconds, with all attempts and pauses. */
    public static function http(float $timeout = 120): Client
    {
        ObjectSerializer::setDateTimeFormat('Y-m-d\TH:i:s.vP'); // the default drops milliseconds
        $stack = HandlerStack::create();
        $stack->push(fn (callable $send) => fn (RequestInterface $request, array $options) => self::retrying($send, $request, $options));
        return new Client(['handler' => $stack, 'timeout' => $timeout, 'allow_redirects' => false]);
    }

    /** The error of a response; without a type if the body is no error of the API. */
    public static function errorOf(?string $body): ErrorDetail
    {
        return ObjectSerializer::deserialize((string) $body, ErrorResponse::class)->getError() ?? new ErrorDetail();
    }

    /** Sends a request up to four times if that is safe. */
    private static function retrying(callable $send, RequestInterface $request, array $options): PromiseInterface
    {
        $uri = $request->getUri();
        if ($uri->getScheme() !== 'https' && !in_array($uri->getHost(), ['127.0.0.1', 'localhost'], true)) {
            throw new InvalidArgumentException('the host must start with https://');
        }
        if ($request->getMethod() === 'POST' && !$request->hasHeader('Idempotency-Key') && preg_match(self::WITH_KEY, $uri->getPath())) {
            $request = $request->withHeader('Idempotency-Key', bin2hex(random_bytes(16))); // the same for all attempts
        }
        $repeatable = $request->getMethod() === 'GET' || $request->hasHeader('Idempotency-Key');
        $options['curl'][CURLOPT_FRESH_CONNECT] = !$repeatable; // libcurl repeats a request on a connection that was used before
        $deadline = microtime(true) + $options['timeout'];
        for ($attempt = 1; ; $attempt++) {
            $pause = 0.5 * 2 ** ($attempt - 1) * mt_rand(50, 100) / 100;
            $options['timeout'] = max(0.01, $deadline - microtime(true));
            try {
                $response = $send($request, $options)->wait();
                $limited = self::isRateLimited($response);
                $retry = $limited || ($repeatable && in_array($response->getStatusCode(), [500, 502, 503], true));
                $pause += $limited ? self::retryAfter($response) : 0;
            } catch (TransferException $lost) { // the request may have been processed
                $response = $lost;
                $retry = $repeatable;
            }
            if (!$retry || $attempt === self::ATTEMPTS || microtime(true) + $pause > $deadline) {
                return $response instanceof TransferException ? Create::rejectionFor($response) : Create::promiseFor($response);
            }
            usleep((int) ($pause * 1e6));
        }
    }

    private static function isRateLimited(ResponseInterface $response): bool
    {
        return $response->getStatusCode() === 429 && self::errorOf((string) $response->getBody())->getType() === 'rate_limited';
    }

    private static function retryAfter(ResponseInterface $response): float
    {
        $value = $response->getHeaderLine('Retry-After');
        $date = strtotime($value);
        return match (true) {
            is_numeric($value) => (float) $value,
            $date !== false => max(0, $date - time()),
            default => 60,
        };
    }
}

/** A configuration that does not show the API key when it is printed. */
final class ReliableConfiguration extends Configuration
{
    public function __construct(string $host, string $key)
    {
        parent::__construct();
        $this->setHost($host)->setAccessToken($key);
    }

    public function __debugInfo(): array
    {
        return ['host' => $this->getHost()];
    }
}
