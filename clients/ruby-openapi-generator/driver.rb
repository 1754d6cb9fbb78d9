# frozen_string_literal: true

# Lets the client suite call the client: a call per line of standard input, a reply per line of standard output.

require_relative 'reliable'

include OpenapiClient

OPERATIONS = {
  'sendEmail' => ->(c) { c.emails.send_email(c.body(SendRequest), c.key) },
  'sendBatch' => ->(c) { c.emails.send_batch(c.body(BatchRequest), c.key) },
  'getEmail' => ->(c) { c.emails.get_email(c.path['id']) },
  'rescheduleEmail' => ->(c) { c.emails.reschedule_email(c.path['id'], c.body(RescheduleRequest)) },
  'cancelEmail' => ->(c) { c.emails.cancel_email(c.path['id']) },
  'listNewsletterLists' => ->(c) { c.newsletter.list_newsletter_lists },
  'listCustomFields' => ->(c) { c.newsletter.list_custom_fields },
  'upsertContact' => ->(c) { c.newsletter.upsert_contact(c.body(ContactRequest), c.key) },
  'getContact' => ->(c) { c.newsletter.get_contact(c.path['email']) },
  'unsubscribeContact' => lambda { |c|
    c.newsletter.unsubscribe_contact(c.path['email'], { unsubscribe_request: c.body(UnsubscribeRequest) }.compact)
  },
  'getMe' => ->(c) { AccountApi.new(c.client).get_me }
}.freeze

NotSent = Class.new(StandardError)

Call = Struct.new(:line, :client) do
  def emails = EmailsApi.new(client)
  def newsletter = NewsletterApi.new(client)
  def path = line['path']
  def key = { idempotency_key: line['idempotencyKey'] }.compact

  def body(model)
    model.build_from_hash(line['body'])
  rescue ArgumentError => e
    raise NotSent, e
  end
end

# A result as JSON, with the names of the API.
def to_json_value(value)
  case value
  when Time then value.iso8601(6)
  when Array then value.map { |item| to_json_value(item) }
  when Hash then value.transform_values { |item| to_json_value(item) }
  else value.respond_to?(:to_hash) ? to_json_value(value.to_hash) : value
  end
end

def error_of(failure)
  return { kind: failure.is_a?(NotSent) ? 'not sent' : 'unreadable' } unless failure.is_a?(ApiError)
  return { kind: failure.message.include?('timed out') ? 'timeout' : 'connection' } if failure.code.to_i < 300

  error = ReliableClient.error_of(failure.response_body)
  detail = { type: error['type'], fields: error['fields'], requestId: error['request_id'] }
  { kind: 'response', status: failure.code, **detail }
end

def write(line)
  $stdout.puts(JSON.generate(line))
  $stdout.flush
end

def plain_client(base_url, key)
  config = Configuration.new do |c|
    c.scheme, c.host = base_url.split('://')
    c.access_token = key
  end
  ApiClient.new(config)
end

reliable = ARGV.include?('--reliable')
start = JSON.parse($stdin.gets)
client = reliable ? ReliableClient.new(*start.values_at('baseUrl', 'key')) : plain_client(*start.values_at('baseUrl', 'key'))
write(protocol: 1, client: 'openapi-generator ruby', operations: OPERATIONS.keys, retries: reliable,
      idempotencyKeys: reliable ? 'automatic' : 'explicit', timeouts: true, printed: client.inspect)
default_timeout = client.config.timeout
$stdin.each_line do |text|
  line = JSON.parse(text)
  client.config.timeout = line.key?('timeout') ? line['timeout'] / 1000.0 : default_timeout
  result = OPERATIONS.fetch(line['operation']).call(Call.new(line, client))
  write(call: line['call'], result: to_json_value(result))
rescue StandardError => e
  write(call: line['call'], error: { **error_of(e), message: e.full_message(highlight: false) })
end
