import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.EmailsApi;
import org.openapitools.client.api.NewsletterApi;
import org.openapitools.client.model.*;

/** Sends a message, looks it up, reads an error, and keeps a contact in sync. */
public class Example {
  public static void main(String[] arguments) throws ApiException {
    ApiClient client = Reliable.client(System.getenv("EMAIL_API_URL"), System.getenv("EMAIL_API_KEY"));
    EmailsApi emails = new EmailsApi(client);
    NewsletterApi newsletter = new NewsletterApi(client);

    ContentSend message = new ContentSend()
        .from("hello@bakery.example")
        .to(List.of("ada@readers.example"))
        .subject("Your order is ready")
        .html("<p>Come and get it.</p>")
        .text("Come and get it.");
    SendResponse sent = emails.sendEmail(new SendRequest(message), "order-7312-java");
    System.out.println("sent: " + sent.getId());

    System.out.println("status: " + emails.getEmail(sent.getId()).getStatus());

    message.setTo(List.of("gone@readers.example")); // who cannot receive email
    try {
      emails.sendEmail(new SendRequest(message), null);
    } catch (ApiException error) {
      System.out.println("rejected: " + error.getCode() + " " + Reliable.errorOf(error.getResponseBody()).getType());
    }

    ContactRequest contact = new ContactRequest()
        .email("grace+java@readers.example")
        .listId(2L)
        .firstName("Grace")
        .consent(new Consent().detail("Ticked the box at the counter on 31 January"));
    newsletter.upsertContact(contact, null);
    Contact found = newsletter.getContact(contact.getEmail());
    System.out.println("contact: " + found.getLists().get(0).getStatus());

    Contact left = newsletter.unsubscribeContact(contact.getEmail(), new UnsubscribeRequest().listId(2L));
    System.out.println("contact: " + left.getLists().get(0).getStatus());
    System.exit(0);
  }
}
