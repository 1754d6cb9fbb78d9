<?php

// Sends a message, looks it up, reads an error, and keeps a contact in sync.

use OpenAPI\Client\Api\EmailsApi;
use OpenAPI\Client\Api\NewsletterApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Model\Consent;
use OpenAPI\Client\Model\ContactRequest;
use OpenAPI\Client\Model\SendRequest;
use OpenAPI\Client\Model\UnsubscribeRequest;

require 'vendor/autoload.php';
require 'reliable.php';

$configuration = new ReliableConfiguration(getenv('EMAIL_API_URL'), getenv('EMAIL_API_KEY'));
$emails = new EmailsApi(Reliable::http(), $configuration);
$newsletter = new NewsletterApi(Reliable::http(), $configuration);

$message = new SendRequest([
    'from' => 'hello@bakery.example',
    'to' => ['ada@readers.example'],
    'subject' => 'Your order is ready',
    'html' => '<p>Come and get it.</p>',
    'text' => 'Come and get it.',
]);
$sent = $emails->sendEmail($message, 'order-7312-php');
echo "sent: {$sent->getId()}\n";

echo "status: {$emails->getEmail($sent->getId())->getStatus()}\n";

$message->setTo(['gone@readers.example']); // who cannot receive email
try {
    $emails->sendEmail($message);
} catch (ApiException $error) {
    echo "rejected: {$error->getCode()} ", Reliable::errorOf($error->getResponseBody())->getType(), "\n";
}

$contact = new ContactRequest([
    'email' => 'grace+php@readers.example',
    'list_id' => 2,
    'first_name' => 'Grace',
    'consent' => new Consent(['detail' => 'Ticked the box at the counter on 31 January']),
]);
$newsletter->upsertContact($contact);
$found = $newsletter->getContact($contact->getEmail());
echo "contact: {$found->getLists()[0]->getStatus()}\n";

$left = $newsletter->unsubscribeContact($contact->getEmail(), new UnsubscribeRequest(['list_id' => 2]));
echo "contact: {$left->getLists()[0]->getStatus()}\n";
