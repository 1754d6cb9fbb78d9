<?php

// Stands in for Composer's vendor/autoload.php if Guzzle is installed with Debian's package php-guzzlehttp-guzzle.

require 'GuzzleHttp/autoload.php';

spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/../client/lib/' . strtr(substr($class, strlen('OpenAPI\\Client\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'OpenAPI\\Client\\') && is_file($file)) require $file;
});
