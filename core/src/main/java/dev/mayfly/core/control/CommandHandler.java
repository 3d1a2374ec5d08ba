package dev.mayfly.core.control;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.Ports;
import dev.mayfly.core.state.ReportedFailures;
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
public final class CommandHandler {
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
  private final CommandRouter table;
  private final TickPause tickPause;
  private final CommandAuditTrail commandAuditTrail;
  private final ReportedFailures log = new ReportedFailures();

  CommandHandler(Ports ports, CommandRouter table, TickPause tickPause) {
    this.ports = ports;
    this.table = table;
    this.tickPause = tickPause;
    commandAuditTrail = new CommandAuditTrail(ports.ledger());
  }

  /**
   * Does what the message asks. Repeating it changes nothing; once it was rejected, it stays so.
   * Throws if it should be delivered again; then whatever of it could be done is done.
   */
  public void handle(UserMessage userMessage) {
    if (isOlder(userMessage, REPEATED) && wasRejected(userMessage)) return;
    var commands = read(userMessage);
    if (commands.isEmpty()) return;
    var messageOutcome = new MessageOutcome(userMessage);
    for (var i = 0; i < commands.get().size(); i++)
      messageOutcome.execute(commands.get().get(i), i);
    if (messageOutcome.done) tickPause.ensureRunning();
    messageOutcome.again.ifPresent(failure -> {
      throw failure;
    });
    // The last of all: once it is stored, the message is done with.
    if (!messageOutcome.refused.isEmpty())
      reject(userMessage, String.join(", ", messageOutcome.about), messageOutcome.refused);
  }

  /** A sender that was told no relies on it, also when the message could be taken by now. */
  private boolean wasRejected(UserMessage userMessage) {
    return ports
        .ledger()
        .read(new DocumentKey.OfRejectedMessage(userMessage.id()))
        .filter(rejectedMessage -> !rejectedMessage.value().isRetried())
        .isPresent();
  }

  /** Not one that claims to be of another time. */
  private boolean mayHaveOvertaken(UserMessage userMessage) {
    var age = Duration.between(userMessage.publishedAt(), ports.clock().instant());
    return age.abs().compareTo(OVERTAKEN) < 0;
  }

  private boolean isOlder(UserMessage userMessage, Duration age) {
    return userMessage.publishedAt().plus(age).isBefore(ports.clock().instant());
  }

  /**
   * What the message asks; empty if that cannot be told, and it was rejected. Reading it touches
   * nothing else: whatever it throws, it throws each time.
   */
  private Optional<List<UserCommand>> read(UserMessage userMessage) {
    try {
      return Optional.of(ports.codec().commands(userMessage.data()));
    } catch (InvalidInputException invalidInputException) {
      reject(userMessage, "", invalidInputException.problems());
    } catch (RuntimeException | StackOverflowError mistake) {
      mistaken("reading message " + userMessage.id(), new IllegalStateException(mistake));
      reject(
          userMessage,
          "",
          List.of(
              new InputError(
                  "",
                  "the message cannot be read, by a mistake in Mayfly (%s); write it in another way, or simpler"
                      .formatted(mistake.getClass().getSimpleName()))));
    }
    return Optional.empty();
  }

  private void mistaken(String place, RuntimeException mistake) {
    new FailureLog(log, ports).unexpected(place, mistake);
  }

  /** What becomes of the commands of one message: one that fails does not stop the others. */
  private final class MessageOutcome {
    private final UserMessage userMessage;
    private final List<InputError> refused = new ArrayList<>();
    private final List<String> about = new ArrayList<>();
    private Optional<RuntimeException> again = Optional.empty();
    private boolean done;

    MessageOutcome(UserMessage userMessage) {
      this.userMessage = userMessage;
    }

    /**
     * @param number of the command in its message: it was written after those before it
     */
    void execute(UserCommand userCommand, int number) {
      var at = userMessage.publishedAt().plus(number, ChronoUnit.MICROS);
      try {
        checkTopic(userCommand);
        table.route(
            userCommand,
            at,
            userMessage.id() + "." + number,
            CommandAuditTrail.requestedBy(userMessage));
        commandAuditTrail.record(userCommand, userMessage, number);
        done = true;
      } catch (UnknownNameException missing) {
        if (mayHaveOvertaken(userMessage))
          retryLater(new UnavailableException(missing.getMessage() + "; the message comes again"));
        else refuse(userCommand, missing.problems());
      } catch (InvalidInputException invalidInputException) {
        refuse(userCommand, invalidInputException.problems());
      } catch (DeniedException deniedException) {
        refuse(userCommand, deniedException);
      } catch (MissingPermissionException missing) {
        if (missing.place().isPresent() && isOlder(userMessage, SPREADING))
          refuse(userCommand, missing);
        else retryLater(missing);
      } catch (UnavailableException later) {
        retryLater(later);
      } catch (RuntimeException mistake) {
        mistaken(CommandRouter.describe(userCommand), mistake);
        if (isOlder(userMessage, MISTAKEN))
          refuse(
              userCommand,
              new InvalidInputException(
                  "",
                  "a mistake in Mayfly, whose log has more: " + mistake + "; publish it again"));
        else retryLater(mistake);
      }
    }

    /** The right to publish to a topic is the right to its commands alone. */
    private void checkTopic(UserCommand userCommand) {
      var userTopic = UserTopic.of(userCommand);
      if (userTopic != userMessage.topic())
        throw new InvalidInputException(
            "",
            "topic %s does not carry this kind of message; publish it to %s"
                .formatted(userMessage.topic().id(), userTopic.id()));
    }

    private void retryLater(RuntimeException failure) {
      if (again.isEmpty()) again = Optional.of(failure);
    }

    private void refuse(UserCommand userCommand, MayflyException why) {
      refuse(userCommand, List.of(new InputError("", why.getMessage())));
    }

    private void refuse(UserCommand userCommand, List<InputError> inputErrors) {
      var name = CommandRouter.describe(userCommand);
      about.add(name);
      for (var p : inputErrors)
        refused.add(
            new InputError(p.path().isEmpty() ? name : name + ": " + p.path(), p.message()));
    }
  }

  /** A job's uid: a hash of the submission's id, so that a repeat is the same job. */
  public static String uid(String submission) {
    return "j" + Sha256.of(submission).substring(0, 15);
  }

  private static String excerpt(UserMessage userMessage) {
    var length = Math.min(EXCERPT, userMessage.data().length);
    return new String(userMessage.data(), 0, length, StandardCharsets.UTF_8)
        .replaceAll("[\\p{Cntrl}&&[^\n]]", "?");
  }

  /** Where a secret's name is wrong, the secret itself may stand in its place. */
  private static boolean aboutSecrets(InputError inputError) {
    return inputError.path().contains("secrets.") || inputError.path().contains("registries.");
  }

  private void reject(UserMessage userMessage, String about, List<InputError> inputErrors) {
    var errors = inputErrors.stream().limit(50).map(InputError::toString).toList();
    var kept =
        inputErrors.stream().anyMatch(CommandHandler::aboutSecrets)
            ? NOT_KEPT
            : excerpt(userMessage);
    var rejectedMessage =
        new RejectedMessage(userMessage.id(), ports.clock().instant(), about, errors, kept);
    ports.ledger().commit(List.of(new LedgerWrite.Put(rejectedMessage)));
  }
}
