package dev.mayfly.core.control;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.ClusterUse;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.ReportedFailures;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Handles users' messages. A message that cannot be accepted becomes a {@code rejections} document
 * with the reasons, and is then finished: it delays no other.
 */
public final class CommandHandler {
  /** How long a missing permission on what a user named may be one that has not spread yet. */
  private static final Duration SPREADING = Duration.ofMinutes(10);

  /**
   * How long a command that meets a bug in Mayfly is redelivered. {@link RedeliveryLimit} counts
   * the deliveries meanwhile, and ends those that leave no exception to catch here.
   */
  private static final Duration MISTAKEN = Duration.ofHours(1);

  /**
   * How long what a message names may still be created by an earlier message on its way: topics
   * keep no order, neither within nor between them.
   */
  private static final Duration OVERTAKEN = Duration.ofSeconds(10);

  /** A younger message is almost certainly delivered for the first time. */
  private static final Duration REPEATED = Duration.ofSeconds(2);

  private static final int EXCERPT = 500;
  private static final String NOT_STORED = "(not stored: it may contain a secret)";

  private final Context context;
  private final CommandRouter commandRouter;
  private final TickPause tickPause;
  private final CommandAuditTrail commandAuditTrail;
  private final OwnCommands ownCommands;
  private final ClusterUse clusterUse;
  private final ReportedFailures log = new ReportedFailures();

  CommandHandler(Context context, CommandRouter commandRouter, TickPause tickPause) {
    this.context = context;
    this.commandRouter = commandRouter;
    this.tickPause = tickPause;
    commandAuditTrail = new CommandAuditTrail(context.ledger());
    ownCommands = new OwnCommands(context.ledger());
    clusterUse = new ClusterUse(context);
  }

  /**
   * Executes the message's commands. A repeat changes nothing; a rejected message stays rejected.
   * Throws if it must be redelivered; then everything that could be done is done.
   */
  public void handle(UserMessage userMessage) {
    if (isOlder(userMessage, REPEATED) && wasRejected(userMessage)) return;
    var commands = read(userMessage);
    if (commands.isEmpty()) return;
    var messageOutcome = new MessageOutcome(userMessage);
    for (var i = 0; i < commands.get().size(); i++)
      messageOutcome.execute(commands.get().get(i), i);
    // What a use brings back needs ticks, even if the message is refused.
    var bringsBack = false;
    for (var name : names(commands.get())) bringsBack |= clusterUse.message(name);
    if (messageOutcome.done || bringsBack) tickPause.ensureRunning();
    messageOutcome.redelivery.ifPresent(failure -> {
      throw failure;
    });
    // Last: once the rejection is stored, the message is finished.
    if (!messageOutcome.refused.isEmpty())
      reject(userMessage, String.join(", ", messageOutcome.about), messageOutcome.refused);
  }

  /** Refuses a message whose commands nobody may look at. A repeat changes nothing. */
  public void refuse(UserMessage userMessage, InputError why) {
    if (!wasRejected(userMessage)) reject(userMessage, "", List.of(why));
  }

  private static Set<String> names(List<UserCommand> commands) {
    return commands.stream().map(CommandRouter::cluster).collect(Collectors.toSet());
  }

  /** The sender relies on a rejection, even if the message could be accepted by now. */
  private boolean wasRejected(UserMessage userMessage) {
    return context
        .ledger()
        .read(new DocumentKey.OfRejectedMessage(userMessage.id()))
        .filter(rejectedMessage -> !rejectedMessage.value().isRetried())
        .isPresent();
  }

  /** Whether the message is recent; one with a wrong time is not. */
  private boolean mayHaveOvertaken(UserMessage userMessage) {
    var age = Duration.between(userMessage.publishedAt(), context.clock().instant());
    return age.abs().compareTo(OVERTAKEN) < 0;
  }

  private boolean isOlder(UserMessage userMessage, Duration age) {
    return userMessage.publishedAt().plus(age).isBefore(context.clock().instant());
  }

  /**
   * The message's commands; empty if they are unreadable and the message was rejected. Parsing
   * depends on nothing else: an exception recurs each time.
   */
  private Optional<List<UserCommand>> read(UserMessage userMessage) {
    try {
      var commands = context.codec().commands(userMessage.data());
      var owned = OwnCommands.owned(commands, userMessage.topic());
      return Optional.of(LinkedSubmissions.of(owned, userMessage.id()));
    } catch (InvalidInputException invalidInputException) {
      reject(userMessage, "", invalidInputException.problems());
    } catch (RuntimeException | StackOverflowError bug) {
      reportBug("reading message " + userMessage.id(), new IllegalStateException(bug));
      reject(
          userMessage,
          "",
          List.of(
              new InputError(
                  "",
                  "the message cannot be read because of a bug in Mayfly (%s); write it differently or more simply"
                      .formatted(bug.getClass().getSimpleName()))));
    }
    return Optional.empty();
  }

  private void reportBug(String place, RuntimeException bug) {
    new FailureLog(log, context).unexpected(place, bug);
  }

  /** The outcome of one message's commands: a failing command does not stop the others. */
  private final class MessageOutcome {
    private final UserMessage userMessage;
    private final List<InputError> refused = new ArrayList<>();
    private final List<String> about = new ArrayList<>();
    private Optional<RuntimeException> redelivery = Optional.empty();
    private boolean done;

    MessageOutcome(UserMessage userMessage) {
      this.userMessage = userMessage;
    }

    /**
     * @param number of the command in its message, where it follows lower numbers
     */
    void execute(UserCommand userCommand, int number) {
      var at = userMessage.publishedAt().plus(number, ChronoUnit.MICROS);
      try {
        checkTopic(userCommand);
        var allowed = ownCommands.allowed(userCommand, userMessage.topic());
        commandRouter.route(
            allowed,
            at,
            LinkedSubmissions.id(userMessage.id(), number),
            CommandAuditTrail.requestedBy(userMessage));
        commandAuditTrail.record(allowed, userMessage, number);
        done = true;
      } catch (UnknownNameException missing) {
        if (mayHaveOvertaken(userMessage))
          retryLater(
              new UnavailableException(missing.getMessage() + "; the message is delivered again"));
        else refuse(userCommand, number, missing.problems());
      } catch (InvalidInputException invalidInputException) {
        refuse(userCommand, number, invalidInputException.problems());
      } catch (DeniedException deniedException) {
        refuse(userCommand, number, deniedException);
      } catch (MissingPermissionException missing) {
        if (missing.place().isPresent() && isOlder(userMessage, SPREADING))
          refuse(userCommand, number, missing);
        else retryLater(missing);
      } catch (UnavailableException later) {
        retryLater(later);
      } catch (RuntimeException bug) {
        reportBug(CommandRouter.describe(userCommand), bug);
        if (isOlder(userMessage, MISTAKEN))
          refuse(
              userCommand,
              number,
              new InvalidInputException(
                  "", "a bug in Mayfly (details in its log): " + bug + "; publish it again"));
        else retryLater(bug);
      }
    }

    /** The right to publish to a topic covers only that topic's commands. */
    private void checkTopic(UserCommand userCommand) {
      var userTopic = UserTopic.of(userCommand);
      var topic = userMessage.topic();
      if (userTopic != topic.carries())
        throw new InvalidInputException(
            "",
            "topic %s does not carry this kind of message; publish it to %s"
                .formatted(topic.id(), topic.carrying(userTopic).id()));
    }

    private void retryLater(RuntimeException failure) {
      if (redelivery.isEmpty()) redelivery = Optional.of(failure);
    }

    private void refuse(UserCommand userCommand, int number, MayflyException why) {
      refuse(userCommand, number, List.of(new InputError("", why.getMessage())));
    }

    private void refuse(UserCommand userCommand, int number, List<InputError> inputErrors) {
      var name = CommandRouter.describe(userCommand);
      about.add(name);
      for (var p : inputErrors)
        refused.add(
            new InputError(p.path().isEmpty() ? name : name + ": " + p.path(), p.message()));
      commandAuditTrail.refused(userCommand, userMessage, number, inputErrors.getFirst());
    }
  }

  private static String excerpt(UserMessage userMessage) {
    var length = Math.min(EXCERPT, userMessage.data().length);
    return new String(userMessage.data(), 0, length, StandardCharsets.UTF_8)
        .replaceAll("[\\p{Cntrl}&&[^\n]]", "?");
  }

  /** If a secret's name is wrong, the secret itself may be in its place. */
  private static boolean aboutSecrets(InputError inputError) {
    var path = inputError.path();
    return path.contains("secrets.")
        || path.contains("registries.")
        || path.contains("notifications.webhook");
  }

  private void reject(UserMessage userMessage, String about, List<InputError> inputErrors) {
    var errors = inputErrors.stream().limit(50).map(InputError::toString).toList();
    var kept =
        inputErrors.stream().anyMatch(CommandHandler::aboutSecrets)
            ? NOT_STORED
            : excerpt(userMessage);
    var rejectedMessage =
        new RejectedMessage(userMessage.id(), context.clock().instant(), about, errors, kept);
    context.ledger().commit(List.of(new LedgerWrite.Put(rejectedMessage)));
  }
}
