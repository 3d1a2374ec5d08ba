package dev.mayfly.sim.mutant;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.port.NotificationTopic;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Messages that are received or published with a mistake. */
final class MessageMutants {
  private static final Duration SOON = Duration.ofSeconds(10);

  private MessageMutants() {}

  /** The same message with another time. */
  static UserMessage published(UserMessage userMessage, Instant at) {
    return new UserMessage(
        userMessage.id(), at, userMessage.topic(), userMessage.claimed(), userMessage.data());
  }

  /** The same message, as if it were published for the first time at each delivery. */
  static UserMessage newSubmission(UserMessage userMessage, World world) {
    var another =
        mapped(userMessage, world, s -> new UserCommand.SubmitJob(s.spec(), Optional.empty()));
    return new UserMessage(
        userMessage.id() + "-" + world.time().steps(),
        another.publishedAt(),
        another.topic(),
        another.claimed(),
        another.data());
  }

  /** The last host of a gang has ten seconds from the end of the first. */
  static UserMessage shortGangEnd(UserMessage userMessage, World world) {
    return mapped(
        userMessage, world, s -> new UserCommand.SubmitJob(shortGangEnd(s.spec()), s.submission()));
  }

  private static JobSpec shortGangEnd(JobSpec s) {
    return new JobSpec(
        s.name(),
        s.cluster(),
        s.owner(),
        s.tasks(),
        s.data(),
        s.run(),
        s.resources(),
        s.retries(),
        s.priority(),
        s.place(),
        s.exclusive(),
        s.gang(),
        s.anyRegion(),
        Optional.of(SOON),
        s.admissionRules());
  }

  /** A topic that drops what it cannot publish. */
  static NotificationTopic forgetful(NotificationTopic topic) {
    return notification -> {
      try {
        topic.publish(notification);
      } catch (UnavailableException dropped) {
        // This is the mistake.
      }
    };
  }

  private static UserMessage mapped(
      UserMessage userMessage, World world, UnaryOperator<UserCommand.SubmitJob> change) {
    var userCommands =
        world.codec().commands(userMessage.data()).stream()
            .map(c -> c instanceof UserCommand.SubmitJob s ? (UserCommand) change.apply(s) : c)
            .toList();
    return new UserMessage(
        userMessage.id(),
        userMessage.publishedAt(),
        userMessage.topic(),
        userMessage.claimed(),
        world.codec().message(userCommands));
  }
}
