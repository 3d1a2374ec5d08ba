package dev.mayfly.core.control;

import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.MissingPermission;
import dev.mayfly.core.error.NotFound;
import dev.mayfly.core.error.Problem;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.Topic;
import dev.mayfly.core.port.Write;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes users' messages. A message that can't be accepted becomes a {@code rejections} document
 * that says why, and is done with: it delays nobody.
 */
public final class Intake {
  /** For so long a missing right to what a user named may be one that has not spread yet. */
  private static final Duration SPREADING = Duration.ofMinutes(10);

  /** For so long a message that meets a mistake of ours comes again. */
  private static final Duration MISTAKEN = Duration.ofHours(1);

  /**
   * For so long what it names may be made by a message that was published before it and is on its
   * way: topics keep no order among messages, nor with each other.
   */
  private static final Duration OVERTAKEN = Duration.ofSeconds(10);

  /** A message that is younger is delivered for the first time, as good as always. */
  private static final Duration REPEATED = Duration.ofSeconds(2);

  private static final int EXCERPT = 500;
  private static final String NOT_KEPT = "(not kept: there may be a secret in it)";

  private final Ports ports;
  private final CommandTable table;
  private final Pausing pausing;
  private final Requests requests;
  private final TroubleLog log = new TroubleLog();

  Intake(Ports ports, CommandTable table, Pausing pausing) {
    this.ports = ports;
    this.table = table;
    this.pausing = pausing;
    requests = new Requests(ports.ledger());
  }

  /**
   * Does what the message asks. Repeating it changes nothing; once it was rejected, it stays so.
   * Throws if it should be delivered again; then whatever of it could be done is done.
   */
  public void receive(Message message) {
    if (isOlder(message, REPEATED) && wasRejected(message)) return;
    var commands = read(message);
    if (commands.isEmpty()) return;
    var taking = new Taking(message);
    for (var i = 0; i < commands.get().size(); i++) taking.take(commands.get().get(i), i);
    if (taking.done) pausing.awaken();
    taking.again.ifPresent(failure -> {
      throw failure;
    });
    // The last of all: once it is stored, the message is done with.
    if (!taking.refused.isEmpty()) reject(message, String.join(", ", taking.about), taking.refused);
  }

  /** A sender that was told no relies on it, also when the message could be taken by now. */
  private boolean wasRejected(Message message) {
    return ports
        .ledger()
        .read(new Key.OfRejection(message.id()))
        .filter(rejection -> !rejection.value().stillTried())
        .isPresent();
  }

  /** Not one that claims to be of another time. */
  private boolean mayHaveOvertaken(Message message) {
    var age = Duration.between(message.publishedAt(), ports.clock().instant());
    return age.abs().compareTo(OVERTAKEN) < 0;
  }

  private boolean isOlder(Message message, Duration age) {
    return message.publishedAt().plus(age).isBefore(ports.clock().instant());
  }

  /**
   * What the message asks; empty if that cannot be told, and it was rejected. Reading it touches
   * nothing else: whatever it throws, it throws each time.
   */
  private Optional<List<Command>> read(Message message) {
    try {
      return Optional.of(ports.codec().commands(message.data()));
    } catch (Invalid invalid) {
      reject(message, "", invalid.problems());
    } catch (RuntimeException | StackOverflowError mistake) {
      mistaken("reading message " + message.id(), new IllegalStateException(mistake));
      reject(
          message,
          "",
          List.of(
              new Problem(
                  "",
                  "the message cannot be read, by a mistake in Mayfly (%s); write it in another way, or simpler"
                      .formatted(mistake.getClass().getSimpleName()))));
    }
    return Optional.empty();
  }

  private void mistaken(String place, RuntimeException mistake) {
    new Troubles(log, ports).mistake(place, mistake);
  }

  /** What becomes of the commands of one message: one that fails does not stop the others. */
  private final class Taking {
    private final Message message;
    private final List<Problem> refused = new ArrayList<>();
    private final List<String> about = new ArrayList<>();
    private Optional<RuntimeException> again = Optional.empty();
    private boolean done;

    Taking(Message message) {
      this.message = message;
    }

    /**
     * @param number of the command in its message: it was written after those before it
     */
    void take(Command command, int number) {
      var at = message.publishedAt().plus(number, ChronoUnit.MICROS);
      try {
        checkTopic(command);
        table.handle(command, at, message.id() + "." + number, Requests.by(message));
        requests.keep(command, message, number);
        done = true;
      } catch (NotFound missing) {
        if (mayHaveOvertaken(message))
          again(new Unavailable(missing.getMessage() + "; the message comes again"));
        else refuse(command, missing.problems());
      } catch (Invalid invalid) {
        refuse(command, invalid.problems());
      } catch (Denied denied) {
        refuse(command, denied);
      } catch (MissingPermission missing) {
        if (missing.place().isPresent() && isOlder(message, SPREADING)) refuse(command, missing);
        else again(missing);
      } catch (Unavailable later) {
        again(later);
      } catch (RuntimeException mistake) {
        mistaken(CommandTable.about(command), mistake);
        if (isOlder(message, MISTAKEN))
          refuse(
              command,
              new Invalid(
                  "",
                  "a mistake in Mayfly, whose log has more: " + mistake + "; publish it again"));
        else again(mistake);
      }
    }

    /** The right to publish to a topic is the right to its commands alone. */
    private void checkTopic(Command command) {
      var topic = Topic.of(command);
      if (topic != message.topic())
        throw new Invalid(
            "",
            "topic %s does not carry this kind of message; publish it to %s"
                .formatted(message.topic().id(), topic.id()));
    }

    private void again(RuntimeException failure) {
      if (again.isEmpty()) again = Optional.of(failure);
    }

    private void refuse(Command command, MayflyException why) {
      refuse(command, List.of(new Problem("", why.getMessage())));
    }

    private void refuse(Command command, List<Problem> problems) {
      var name = CommandTable.about(command);
      about.add(name);
      for (var p : problems)
        refused.add(new Problem(p.path().isEmpty() ? name : name + ": " + p.path(), p.message()));
    }
  }

  /** A job's uid: a hash of the submission's id, so that a repeat is the same job. */
  public static String uid(String submission) {
    return "j" + Sha256.of(submission).substring(0, 15);
  }

  private static String excerpt(Message message) {
    var length = Math.min(EXCERPT, message.data().length);
    return new String(message.data(), 0, length, StandardCharsets.UTF_8)
        .replaceAll("[\\p{Cntrl}&&[^\n]]", "?");
  }

  /** Where a secret's name is wrong, the secret itself may stand in its place. */
  private static boolean aboutSecrets(Problem problem) {
    return problem.path().contains("secrets.") || problem.path().contains("registries.");
  }

  private void reject(Message message, String about, List<Problem> problems) {
    var errors = problems.stream().limit(50).map(Problem::toString).toList();
    var kept = problems.stream().anyMatch(Intake::aboutSecrets) ? NOT_KEPT : excerpt(message);
    var rejection = new Rejection(message.id(), ports.clock().instant(), about, errors, kept);
    ports.ledger().commit(List.of(new Write.Put(rejection)));
  }
}
