package dev.mayfly.local.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.wire.UserDocuments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The laptop's control plane distinguishes topics like the functions of a project. */
@Timeout(300)
class UserTopicsTest {
  private static final Path SAMPLES = Path.of("../schemas/samples/valid");
  private static final Set<String> OF_JOBS =
      Set.of(
          "Job",
          "StopJob",
          "RetryJob",
          "RetryTasks",
          "StopTasks",
          "AddTasks",
          "CloseJob",
          "FollowLogs",
          "ChangeSchedule");

  @TempDir Path home;
  private TestControlPlane plane;

  @BeforeEach
  void start() throws IOException {
    plane = TestControlPlane.start(home);
  }

  @AfterEach
  void stop() {
    plane.close();
  }

  @Test
  void eachKindIsAcceptedOnItsTopicOnly() throws Exception {
    var kinds = new HashSet<String>();
    for (var sample : samples()) {
      var text = Files.readString(sample).replaceAll("(?m)^code:.*", "");
      var document = UserDocuments.parse(text.getBytes(UTF_8), "", Map.of()).getFirst();
      kinds.add(document.kind());
      for (var userTopic : UserTopic.values()) {
        var id = userTopic.id() + "-" + document.kind();
        assertThat(plane.deliver(userTopic.id(), id, document.json()).statusCode()).isEqualTo(204);
        var carried = (userTopic == UserTopic.JOBS) == OF_JOBS.contains(document.kind());
        if (carried) assertThat(errors(id)).as(id).doesNotContain("does not carry");
        else assertThat(errors(id)).as(id).contains("does not carry").contains("publish it to");
      }
    }
    assertThat(kinds).hasSize(UserCommand.class.getPermittedSubclasses().length);
  }

  /** A message that failed its function each time would fail again. */
  @Test
  void exhaustedMessageIsNotTriedAgain() throws Exception {
    var tried = new RejectedMessage("late", Instant.EPOCH, "a message", List.of("again"), "", 10);
    plane.ledger().commit(List.of(new LedgerWrite.Put(tried)));
    var text = Files.readString(SAMPLES.resolve("user-stop-job.yaml"));
    var document = UserDocuments.parse(text.getBytes(UTF_8), "", Map.of()).getFirst();

    var reply = plane.deliver(UserTopic.JOBS.id(), "late", document.json(), "2026-01-02T02:00:00Z");

    assertThat(reply.statusCode()).isEqualTo(204);
    assertThat(errors("late")).contains("was tried 10 times");
  }

  private String deliveredBy(String topic, String id, String attributes) throws Exception {
    var text = Files.readString(SAMPLES.resolve("user-stop-job.yaml"));
    var document = UserDocuments.parse(text.getBytes(UTF_8), "", Map.of()).getFirst();
    var published = Instant.now().toString();
    var reply =
        plane.deliver(UserTopic.JOBS.id(), topic, id, document.json(), published, attributes);
    assertThat(reply.statusCode()).as("a refused message is finished").isEqualTo(204);
    return errors(id);
  }

  /** A person's own topic is read by the function of all, and is known by the event's source. */
  @Test
  void ownTopicIsKnownByItsSource() throws Exception {
    assertThat(deliveredBy("mayfly-clusters-ann", "m1", "{}"))
        .contains("the message came by topic mayfly-clusters-ann");
    assertThat(deliveredBy("mayfly-jobs-Ann", "m2", "{}"))
        .contains("the message came by topic mayfly-jobs-Ann", "people.personal");
    assertThat(deliveredBy("mayfly-jobs-ann", "m3", "{\"mayfly-trigger\":\"1\"}"))
        .contains(
            "the attribute mayfly-trigger is Mayfly's own, and mayfly-jobs-ann is a person's");
    assertThat(deliveredBy("mayfly-jobs-ann", "m4", "{}")).doesNotContain("topic:");
  }

  private String errors(String message) {
    return plane
        .ledger()
        .read(new DocumentKey.OfRejectedMessage(message))
        .map(r -> String.join("\n", r.value().errors()))
        .orElse("");
  }

  private static Iterable<Path> samples() throws IOException {
    try (var files = Files.list(SAMPLES)) {
      return files
          .filter(f -> f.getFileName().toString().startsWith("user-"))
          .filter(f -> !f.endsWith("user-many.yaml"))
          .sorted()
          .toList();
    }
  }
}
