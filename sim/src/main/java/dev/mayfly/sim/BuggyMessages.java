package dev.mayfly.sim;

import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Message;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Users' messages, read with a mistake. */
final class BuggyMessages {
  private static final Duration SOON = Duration.ofSeconds(10);

  private BuggyMessages() {}

  /** The same message, as if it were published for the first time at each delivery. */
  static Message anew(Message message, World world) {
    var another = mapped(message, world, s -> new Command.SubmitJob(s.spec(), Optional.empty()));
    return new Message(
        message.id() + "-" + world.time().steps(),
        another.publishedAt(),
        another.topic(),
        another.publisher(),
        another.data());
  }

  /** The last host of a gang has ten seconds from the end of the first. */
  static Message hasty(Message message, World world) {
    return mapped(message, world, s -> new Command.SubmitJob(hasty(s.spec()), s.submission()));
  }

  private static JobSpec hasty(JobSpec s) {
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
        Optional.of(SOON));
  }

  private static Message mapped(
      Message message, World world, UnaryOperator<Command.SubmitJob> change) {
    var commands =
        world.codec().commands(message.data()).stream()
            .map(c -> c instanceof Command.SubmitJob s ? (Command) change.apply(s) : c)
            .toList();
    return new Message(
        message.id(),
        message.publishedAt(),
        message.topic(),
        message.publisher(),
        world.codec().message(commands));
  }
}
