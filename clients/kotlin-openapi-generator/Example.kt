import kotlin.system.exitProcess
import org.openapitools.client.apis.EmailsApi
import org.openapitools.client.apis.NewsletterApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.models.Consent
import org.openapitools.client.models.ContactRequest
import org.openapitools.client.models.SendRequest
import org.openapitools.client.models.UnsubscribeRequest

/** Sends a message, looks it up, reads an error, and keeps a contact in sync. */
object Example {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val baseUrl = System.getenv("EMAIL_API_URL")
        val http = Reliable.http()
        ApiClient.accessToken = System.getenv("EMAIL_API_KEY")
        val emails = EmailsApi(baseUrl, http)
        val newsletter = NewsletterApi(baseUrl, http)

        val message = SendRequest(
            from = "hello@bakery.example",
            to = listOf("ada@readers.example"),
            subject = "Your order is ready",
            html = "<p>Come and get it.</p>",
            text = "Come and get it.",
        )
        val sent = emails.sendEmail(message, "order-7312-kotlin")
        println("sent: ${sent.id}")

        println("status: ${emails.getEmail(sent.id).status}")

        try {
            emails.sendEmail(message.copy(to = listOf("gone@readers.example"))) // who cannot receive email
        } catch (error: ClientException) {
            println("rejected: ${error.statusCode} ${Reliable.errorOf((error.response as ClientError<*>).body)?.type}")
        }

        val contact = ContactRequest(
            email = "grace+kotlin@readers.example",
            listId = 2,
            firstName = "Grace",
            consent = Consent(detail = "Ticked the box at the counter on 31 January"),
        )
        newsletter.upsertContact(contact)
        println("contact: ${newsletter.getContact(contact.email).lists[0].status}")

        val left = newsletter.unsubscribeContact(contact.email, UnsubscribeRequest(listId = 2))
        println("contact: ${left.lists[0].status}")
        exitProcess(0)
    }
}
