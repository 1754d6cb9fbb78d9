# frozen_string_literal: true

# Sends a message, looks it up, reads an error, and keeps a contact in sync.

require_relative 'reliable'

client = ReliableClient.new(ENV.fetch('EMAIL_API_URL'), ENV.fetch('EMAIL_API_KEY'))
emails = OpenapiClient::EmailsApi.new(client)
newsletter = OpenapiClient::NewsletterApi.new(client)

message = OpenapiClient::SendRequest.new(
  from: 'hello@bakery.example',
  to: ['ada@readers.example'],
  subject: 'Your order is ready',
  html: '<p>Come and get it.</p>',
  text: 'Come and get it.'
)
sent = emails.send_email(message, idempotency_key: 'order-7312-ruby')
puts "sent: #{sent.id}"

puts "status: #{emails.get_email(sent.id).status}"

message.to = ['gone@readers.example'] # who cannot receive email
begin
  emails.send_email(message)
rescue OpenapiClient::ApiError => e
  puts "rejected: #{e.code} #{ReliableClient.error_of(e.response_body)['type']}"
end

contact = OpenapiClient::ContactRequest.new(
  email: 'grace+ruby@readers.example',
  list_id: 2,
  first_name: 'Grace',
  consent: OpenapiClient::Consent.new(detail: 'Ticked the box at the counter on 31 January')
)
newsletter.upsert_contact(contact)
puts "contact: #{newsletter.get_contact(contact.email).lists.first.status}"

request = OpenapiClient::UnsubscribeRequest.new(list_id: 2)
left = newsletter.unsubscribe_contact(contact.email, unsubscribe_request: request)
puts "contact: #{left.lists.first.status}"
