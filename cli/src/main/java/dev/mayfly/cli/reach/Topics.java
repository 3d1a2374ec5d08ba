package dev.mayfly.cli.reach;

import dev.mayfly.cli.exit.Refusal;
import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Topic;
import dev.mayfly.wire.Parsed;
import dev.mayfly.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Publishes users' documents. A repeat is harmless: every document says so itself. */
public final class Topics {
  private static final int CAP = 256 * 1024;
  private static final int TRIES = 3;

  private final Http http;
  private final Site site;

  public Topics(Http http, Site site) {
    this.http = http;
    this.site = site;
  }

  private record Published(List<String> messageIds) {}

  private record Outgoing(String data, Map<String, String> attributes) {}

  private record Batch(List<Outgoing> messages) {}

  /** The id of the accepted message. */
  public String publish(Parsed document) {
    check(document);
    var data = Base64.getEncoder().encodeToString(document.bytes());
    var body = Wire.shared().json(new Batch(List.of(new Outgoing(data, publisher()))));
    var url =
        "%s/v1/projects/%s/topics/%s:publish"
            .formatted(site.pubsub(), site.project(), Topic.of(document.command()).id());
    var reply = post(url, body);
    if (reply.status() == 401 || reply.status() == 403)
      throw new Denied(
          "you may not publish to " + url + "; ask for roles/pubsub.publisher on the topic");
    if (reply.status() == 404)
      throw Refusal.notFound(
          "there is no topic at " + url + "; is Mayfly deployed there? docs/deploy.md says how");
    if (!reply.ok())
      throw new Unavailable(
          "publishing to "
              + url
              + " failed with HTTP "
              + reply.status()
              + ": "
              + reply.text().strip());
    return Wire.shared().read(Published.class, reply.body()).messageIds().getFirst();
  }

  /** A claim, for the events; what proves who publishes is Google's and stays there. */
  private static Map<String, String> publisher() {
    var user = System.getProperty("user.name", "");
    return user.isBlank() ? Map.of() : Map.of(Topic.PUBLISHER, user);
  }

  /** Refuses what Pub/Sub's subscribers could not be given. */
  public static void check(Parsed document) {
    var size = document.json().getBytes(StandardCharsets.UTF_8).length;
    if (size > CAP)
      throw new Invalid(
          document.place(),
          "the %s %s is a message of %d KB, and %d KB is the most; put long lists into objects (tasks: {inputs: gs://bucket/*.json}), or use count with {index}"
              .formatted(document.kind(), document.name(), (size + 1023) / 1024, CAP / 1024));
  }

  private Http.Reply post(String url, byte[] body) {
    for (var tries = 1; ; tries++)
      try {
        var reply = http.post(url, body);
        if (reply.status() < 500 || tries == TRIES) return reply;
      } catch (Unavailable e) {
        if (tries == TRIES) throw e;
      }
  }
}
