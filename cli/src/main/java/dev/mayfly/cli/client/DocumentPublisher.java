package dev.mayfly.cli.client;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.message.MessageTopic;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Publishes users' documents. Every document is idempotent, so publishing may be retried. */
public final class DocumentPublisher {
  private static final int CAP = 256 * 1024;
  private static final int MAX_TRIES = 3;

  private final HttpTransport httpTransport;
  private final DeploymentEndpoints deploymentEndpoints;
  private final Optional<String> owner;

  /**
   * @param owner of the jobs that are submitted here, who may have topics of their own
   */
  public DocumentPublisher(
      HttpTransport httpTransport,
      DeploymentEndpoints deploymentEndpoints,
      Optional<String> owner) {
    this.httpTransport = httpTransport;
    this.deploymentEndpoints = deploymentEndpoints;
    this.owner = owner;
  }

  private record Published(List<String> messageIds) {}

  private record Outgoing(String data, Map<String, String> attributes) {}

  private record Batch(List<Outgoing> messages) {}

  /**
   * The id of the accepted message. Who may not publish to the topic of all does so to their own.
   */
  public String publish(ParsedDocument document) {
    check(document);
    var data = Base64.getEncoder().encodeToString(document.bytes());
    var body = Wire.shared().json(new Batch(List.of(new Outgoing(data, publisher()))));
    var ofAll = MessageTopic.ofAll(UserTopic.of(document.command()));
    var url = url(ofAll);
    var reply = post(url, body, document);
    if (isDenied(reply)) {
      var own =
          owner.filter(MessageTopic::isPerson).map(it -> MessageTopic.of(ofAll.carries(), it));
      if (own.isEmpty()) throw denied(ofAll, "no topic can be your own" + named());
      url = url(own.get());
      reply = post(url, body, document);
      if (isDenied(reply) || reply.status() == 404)
        throw denied(ofAll, "so it is to %s, your own".formatted(own.get().id()) + named());
    }
    if (reply.status() == 404)
      throw CommandException.notFound(
          "no topic exists at " + url + "; deploy Mayfly there first, see docs/deploy.md");
    if (!reply.ok())
      throw new UnavailableException(
          "publishing to "
              + url
              + " failed with HTTP "
              + reply.status()
              + ": "
              + reply.text().strip()
              + (reply.status() < 500 ? "" : "; " + unknown(document)));
    return Wire.shared().read(Published.class, reply.body()).messageIds().getFirst();
  }

  private String url(MessageTopic topic) {
    return "%s/v1/projects/%s/topics/%s:publish"
        .formatted(deploymentEndpoints.pubsub(), deploymentEndpoints.project(), topic.id());
  }

  private static boolean isDenied(HttpTransport.Reply reply) {
    return reply.status() == 401 || reply.status() == 403;
  }

  private String named() {
    return owner.map(" (MAYFLY_OWNER or your user name is %s)"::formatted).orElse("");
  }

  private DeniedException denied(MessageTopic ofAll, String own) {
    return new DeniedException(
        "publishing to %s of project %s is denied, and %s; ask for roles/pubsub.publisher on the first, or to have topics of your own (people.personal in Terraform), and set MAYFLY_OWNER to your name there"
            .formatted(ofAll.id(), deploymentEndpoints.project(), own));
  }

  /** The publisher's name for the events: a claim only. Authentication is Pub/Sub's. */
  private static Map<String, String> publisher() {
    var user = System.getProperty("user.name", "");
    return user.isBlank() ? Map.of() : Map.of(UserTopic.PUBLISHER, user);
  }

  /** Refuses documents that are too large to deliver. */
  public static void check(ParsedDocument document) {
    var size = document.json().getBytes(StandardCharsets.UTF_8).length;
    if (size > CAP)
      throw new InvalidInputException(
          document.place(),
          "the %s %s is a message of %d KB; the limit is %d KB; put long lists into objects (tasks: {inputs: gs://bucket/*.json}), or use count with {index}"
              .formatted(document.kind(), document.name(), (size + 1023) / 1024, CAP / 1024));
  }

  private HttpTransport.Reply post(String url, byte[] body, ParsedDocument document) {
    var sent = false;
    for (var tries = 1; ; tries++)
      try {
        var reply = httpTransport.post(url, body);
        if (reply.status() < 500 || tries == MAX_TRIES) return reply;
        sent = true;
      } catch (UnavailableException e) {
        sent |= HttpTransport.mayHaveArrived(e);
        if (tries == MAX_TRIES)
          throw sent
              ? new UnavailableException(
                  "%s had no answer (%s); %s".formatted(url, e.getCause(), unknown(document)), e)
              : e;
      }
  }

  /** What to do when only the answer may be lost: a repeat has to be the same submission. */
  private static String unknown(ParsedDocument document) {
    return document.command() instanceof UserCommand.SubmitJob job && job.submission().isPresent()
        ? "job %s may have been accepted all the same: look with mayfly jobs -c %s, or submit it again with submission: %s in its file, which is the same job and never a second one"
            .formatted(document.name(), job.spec().cluster(), job.submission().get())
        : "the %s %s may have been accepted all the same; try again, a repeat changes nothing"
            .formatted(document.kind(), document.name());
  }
}
