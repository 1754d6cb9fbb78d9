import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonSerializer;
import java.util.List;
import org.openapitools.client.JSON;
import org.openapitools.client.model.*;

/** Lets a client that OpenAPI Generator generated send null in the fields of a contact, which clears a field. */
class Nulls {
  static void send() {
    Gson generated = JSON.getGson();
    JsonSerializer<Object> asGenerated = (value, type, context) -> generated.toJsonTree(value);
    JsonSerializer<ContactRequest> withNulls = (contact, type, context) -> {
      JsonObject json = generated.toJsonTree(contact).getAsJsonObject();
      if (contact.getFields() != null)
        contact.getFields().forEach((name, value) -> json.getAsJsonObject("fields").add(name, generated.toJsonTree(value)));
      return json;
    };
    GsonBuilder builder = generated.newBuilder().serializeNulls().registerTypeAdapter(ContactRequest.class, withNulls);
    for (Class<?> type : List.of(SendRequest.class, BatchRequest.class, RescheduleRequest.class, UnsubscribeRequest.class))
      builder.registerTypeAdapter(type, asGenerated);
    JSON.setGson(builder.create());
  }
}
