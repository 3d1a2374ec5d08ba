package dev.mayfly.local.pubsub;

import dev.mayfly.local.http.ApiError;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * One validated message from a publisher.
 *
 * @param data base64 in the standard alphabet
 */
record IncomingMessage(String data, Map<String, String> attributes) {
  private static final int MAX_MESSAGES = 1_000;

  /** Throws {@link ApiError} in the service's wording. */
  static List<IncomingMessage> of(JsonNode request) {
    var messages = request.path("messages");
    if (!messages.isArray() || messages.isEmpty())
      throw ApiError.invalid(
          "The value for message_count is too small. You passed 0 in the request, but the minimum"
              + " value is 1.");
    if (messages.size() > MAX_MESSAGES)
      throw ApiError.invalid(
          "The value for message_count is too large. You passed "
              + messages.size()
              + " in the request, but the maximum value is "
              + MAX_MESSAGES
              + ".");
    var all = new ArrayList<IncomingMessage>();
    for (var message : messages) all.add(one(message));
    return List.copyOf(all);
  }

  private static IncomingMessage one(JsonNode message) {
    var data = plain(message.path("data").asString(""));
    var attributes = new HashMap<String, String>();
    message
        .path("attributes")
        .properties()
        .forEach(a -> attributes.put(a.getKey(), text(a.getKey(), a.getValue())));
    if (data.isEmpty() && attributes.isEmpty())
      throw ApiError.invalid(
          "Some messages in the publish request are empty. Each message must contain either"
              + " non-empty data, or at least one attribute.");
    return new IncomingMessage(data, attributes);
  }

  private static String text(String key, JsonNode value) {
    if (!value.isString())
      throw ApiError.invalid("Attribute '" + key + "' must be text, and is " + value);
    return value.stringValue();
  }

  /** Clients may use either base64 alphabet. */
  private static String plain(String data) {
    try {
      var bytes = Base64.getDecoder().decode(data.replace('-', '+').replace('_', '/'));
      return Base64.getEncoder().encodeToString(bytes);
    } catch (IllegalArgumentException e) {
      throw ApiError.invalid(
          "Invalid value at 'messages.data': Base64 decoding failed: " + e.getMessage());
    }
  }
}
