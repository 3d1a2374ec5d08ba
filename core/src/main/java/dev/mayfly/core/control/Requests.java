package dev.mayfly.core.control;

import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Write;
import java.util.List;

/**
 * Who asked for what, as events of the cluster. Pub/Sub tells neither Mayfly nor its own audit log
 * who publishes: what is certain is the message and its topic, and so that its publisher has the
 * right to publish there. A name is what the message claims.
 */
final class Requests {
  private static final int ID = 20;

  private final Ledger ledger;

  Requests(Ledger ledger) {
    this.ledger = ledger;
  }

  private record Request(String cluster, String about, String verb) {}

  private static String publisher(Message message) {
    return message.publisher().isPresent()
        ? "published by " + by(message)
        : "which names no publisher";
  }

  /** Who published the message, behind a verb. */
  static String by(Message message) {
    return message.publisher().map(name -> name + " (claimed)").orElse("a message");
  }

  /** Keeps that the command was obeyed. A repeat of the message is the same event. */
  void keep(Command command, Message message, int number) {
    var request = request(command);
    // Reading changes nothing, and is said again every few minutes.
    if (command instanceof Command.FollowLogs) return;
    var name = ledger.read(new Key.OfClusterName(request.cluster()));
    if (name.isEmpty()) return;
    var event =
        new Event(
            name.get().value().uid(),
            Sha256.of("asked " + message.id() + " " + number).substring(0, ID),
            message.publishedAt(),
            request.about(),
            "asked",
            "%s: message %s on %s, %s"
                .formatted(request.verb(), message.id(), message.topic().id(), publisher(message)));
    if (ledger.read(event.key()).isEmpty()) ledger.commit(List.of(new Write.Put(event)));
  }

  private static Request request(Command command) {
    return switch (command) {
      case Command.SubmitJob c ->
          new Request(c.spec().cluster(), "job/" + c.spec().name(), "submit");
      case Command.StopJob c -> new Request(c.cluster(), "job/" + c.job(), "stop");
      case Command.RetryJob c -> new Request(c.cluster(), "job/" + c.job(), "retry");
      case Command.FollowLogs c -> new Request(c.cluster(), "job/" + c.job(), "logs");
      case Command.ApplyCluster c ->
          new Request(c.spec().name(), "cluster/" + c.spec().name(), "up");
      case Command.DownCluster c -> new Request(c.cluster(), "cluster/" + c.cluster(), "down");
      case Command.DrainWorker c -> new Request(c.cluster(), "worker/" + c.worker(), "drain");
      case Command.JoinWorker c -> new Request(c.cluster(), "worker/" + c.worker(), "join");
      case Command.CreateSlice c -> new Request(c.cluster(), "slice/" + c.name(), "create");
      case Command.DeleteSlice c -> new Request(c.cluster(), "slice/" + c.slice(), "delete");
      case Command.ReshapeSlice c -> new Request(c.cluster(), "slice/" + c.slice(), "reshape");
    };
  }
}
