# frozen_string_literal: true

require 'openapi_client'
require 'securerandom'
require 'uri'

# Retries and idempotency keys for a client that OpenAPI Generator generated.
class ReliableClient < OpenapiClient::ApiClient
  ATTEMPTS = 4
  WITH_KEY = %w[/api/v1/emails /api/v1/emails/batch /api/v1/newsletter/contacts].freeze

  # A client whose calls end after `timeout` seconds, with all attempts and pauses.
  def initialize(base_url, key, timeout: 120)
    uri = URI(base_url)
    local = %w[127.0.0.1 localhost].include?(uri.host)
    raise ArgumentError, 'base_url must start with https://' unless uri.scheme == 'https' || local

    config = OpenapiClient::Configuration.new do |c|
      c.scheme = uri.scheme
      c.host = base_url
      c.access_token = key
      c.timeout = timeout
    end
    super(config)
  end

  # The error of a response, by the names of its properties; empty if the body is no error of the API.
  def self.error_of(body)
    JSON.parse(body).fetch('error').to_h
  rescue JSON::ParserError, KeyError, TypeError, NoMethodError
    {}
  end

  # Sends a request up to four times if that is safe.
  def call_api(http_method, path, opts = {})
    headers = opts[:header_params]
    headers[:'Idempotency-Key'] ||= SecureRandom.uuid if http_method == :POST && WITH_KEY.include?(path)
    repeatable = http_method == :GET || headers.key?(:'Idempotency-Key')
    deadline = now + config.timeout
    (1..ATTEMPTS).each do |attempt|
      # libcurl repeats a request at once on a connection that was used before.
      options = { timeout: [deadline - now, 0.01].max, fresh_connect: !repeatable }
      return super(http_method, path.gsub('+', '%20'), opts.merge(options)) # + is a space here
    rescue OpenapiClient::ApiError => e
      pause = 0.5 * 2**(attempt - 1) * rand(0.5..1.0)
      limited = e.code == 429 && self.class.error_of(e.response_body)['type'] == 'rate_limited'
      pause += retry_after(e.response_headers['Retry-After']) if limited
      # A request that got no complete response may have been processed.
      temporary = [nil, 0, 500, 502, 503].include?(e.code) || e.code < 300
      raise if attempt == ATTEMPTS || now + pause > deadline || !(limited || (repeatable && temporary))

      sleep(pause)
    end
  end

  def build_request(http_method, path, opts = {})
    super.tap { |request| request.options.update(followlocation: false, **opts.slice(:timeout, :fresh_connect)) }
  end

  def deserialize(response, return_type)
    super || raise(JSON::ParserError, 'a success without a body')
  end

  # Sends times as ISO 8601; without it, they are sent as `Time#to_s` writes them.
  def object_to_hash(value)
    case value
    when Time then value.iso8601(3)
    when Array then value.map { |item| object_to_hash(item) }
    when Hash then value.transform_values { |item| object_to_hash(item) }
    else value.respond_to?(:to_hash) ? object_to_hash(value.to_hash) : value
    end
  end

  # Without the API key.
  def inspect
    "#<#{self.class} #{config.host}>"
  end

  private

  def now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def retry_after(value)
    Integer(value || 60)
  rescue ArgumentError
    [Time.httpdate(value) - Time.now, 0].max
  end
end
