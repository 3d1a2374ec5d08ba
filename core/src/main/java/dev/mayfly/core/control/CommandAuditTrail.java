package dev.mayfly.core.control;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.job.JobLookup;
import java.util.List;
import java.util.Optional;

/**
 * Records who requested what, as events of the cluster, whether it was executed or refused: only
 * the sender of a message knows where its rejection is. Pub/Sub does not reveal publishers, neither
 * to Mayfly nor in its audit log: certain is only that the publisher may publish to the message's
 * topic, and so who it is if that is a person's own. Another name is what the message claims.
 */
final class CommandAuditTrail {
  private static final String JOB = "job/";
  private static final String LOGS = "logs";

  private final Ledger ledger;

  CommandAuditTrail(Ledger ledger) {
    this.ledger = ledger;
  }

  private record Request(String cluster, String about, String verb) {}

  private static String publisher(UserMessage userMessage) {
    return known(userMessage)
        .map(name -> "published by " + name)
        .orElse("which names no publisher");
  }

  /** The message's publisher, to follow a verb. */
  static String requestedBy(UserMessage userMessage) {
    return known(userMessage).orElse("a message");
  }

  /** Who published it, and whether that is certain. */
  private static Optional<String> known(UserMessage userMessage) {
    return userMessage
        .topic()
        .person()
        .map(name -> name + " (verified)")
        .or(() -> userMessage.claimed().map(name -> name + " (claimed)"));
  }

  /** Records an executed command. A repeat of the message gives the same event. */
  void record(UserCommand userCommand, UserMessage userMessage, int number) {
    var request = request(userCommand);
    // Thousands of tasks are added, and each addition has its document.
    if (userCommand instanceof UserCommand.AddTasks) return;
    write(request, userMessage, EventRecord.RECEIVED, number, message(request, userMessage));
  }

  /**
   * Records a refused command of a cluster that there is, with the first reason. A repeat of the
   * message gives the same event.
   */
  void refused(UserCommand userCommand, UserMessage userMessage, int number, InputError reason) {
    var request = request(userCommand);
    var why = message(request, userMessage) + ": " + reason;
    write(request, userMessage, "refused", number, why);
  }

  private static String message(Request request, UserMessage userMessage) {
    return "%s: message %s on %s, %s"
        .formatted(
            request.verb(), userMessage.id(), userMessage.topic().id(), publisher(userMessage));
  }

  private void write(
      Request request, UserMessage userMessage, String what, int number, String why) {
    // Reading logs changes nothing and is repeated every few minutes.
    if (request.verb().equals(LOGS)) return;
    var uid =
        ledger.read(new DocumentKey.OfClusterName(request.cluster())).flatMap(n -> n.value().uid());
    if (uid.isEmpty()) return;
    var event =
        EventRecord.ofMessage(
            uid.get(),
            request.about(),
            what,
            why,
            userMessage.id(),
            userMessage.publishedAt(),
            number);
    if (ledger.read(event.key()).isPresent()) return;
    var exact = event.about(exact(uid.get(), request.about()));
    ledger.commit(List.of(new LedgerWrite.Put(exact)));
  }

  /** A job with its owner, as its other events name it. */
  private String exact(String cluster, String about) {
    if (!about.startsWith(JOB) || about.indexOf('/', JOB.length()) > 0) return about;
    try {
      return JOB
          + new JobLookup(ledger).name(cluster, about.substring(JOB.length())).key().address();
    } catch (InvalidInputException several) {
      // It was the only live one when the command was executed.
      return about;
    }
  }

  private static Request request(UserCommand userCommand) {
    return switch (userCommand) {
      case UserCommand.SubmitJob c ->
          new Request(
              c.spec().cluster(),
              (c.schedule().isPresent() ? "schedule/" : "job/") + c.spec().address(),
              "submit");
      case UserCommand.ChangeSchedule c ->
          new Request(c.cluster(), "schedule/" + c.schedule(), c.action().word());
      case UserCommand.StopJob c -> new Request(c.cluster(), "job/" + c.job(), "stop");
      case UserCommand.RetryJob c -> new Request(c.cluster(), "job/" + c.job(), "retry");
      case UserCommand.StopTasks c ->
          new Request(c.cluster(), "job/" + c.job(), "stop of tasks " + c.tasks());
      case UserCommand.RetryTasks c ->
          new Request(c.cluster(), "job/" + c.job(), "retry of tasks " + c.tasks());
      case UserCommand.AddTasks c -> new Request(c.cluster(), "job/" + c.job(), "add");
      case UserCommand.CloseJob c -> new Request(c.cluster(), "job/" + c.job(), "close");
      case UserCommand.FollowLogs c -> new Request(c.cluster(), "job/" + c.job(), LOGS);
      case UserCommand.ApplyCluster c ->
          new Request(c.spec().name(), "cluster/" + c.spec().name(), "up");
      case UserCommand.DownCluster c -> new Request(c.cluster(), "cluster/" + c.cluster(), "down");
      case UserCommand.DrainWorker c -> new Request(c.cluster(), "worker/" + c.worker(), "drain");
      case UserCommand.Cordon c -> new Request(c.cluster(), "worker/" + c.name(), "cordon");
      case UserCommand.Uncordon c -> new Request(c.cluster(), "worker/" + c.name(), "uncordon");
      case UserCommand.JoinWorker c -> new Request(c.cluster(), "worker/" + c.worker(), "join");
      case UserCommand.CreateSlice c -> new Request(c.cluster(), "slice/" + c.name(), "create");
      case UserCommand.DeleteSlice c -> new Request(c.cluster(), "slice/" + c.slice(), "delete");
      case UserCommand.ReshapeSlice c -> new Request(c.cluster(), "slice/" + c.slice(), "reshape");
    };
  }
}
