package dev.mayfly.core.control;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.job.JobAddress;
import dev.mayfly.core.model.message.MessageTopic;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.state.ClusterLookup;
import dev.mayfly.core.state.job.JobLookup;
import java.util.List;
import java.util.Optional;

/**
 * The commands of a person's own topic change that person's jobs and schedules only: a name alone
 * is the person's own, and another owner's is refused. Reading is not limited, nor are the commands
 * about clusters.
 */
final class OwnCommands {
  private final Ledger ledger;
  private final JobLookup jobLookup;

  OwnCommands(Ledger ledger) {
    this.ledger = ledger;
    jobLookup = new JobLookup(ledger);
  }

  /** The commands, with the person as owner of the jobs that name none. */
  static List<UserCommand> owned(List<UserCommand> commands, MessageTopic topic) {
    return topic.person().isEmpty()
        ? commands
        : commands.stream().map(command -> owned(command, topic.person().get())).toList();
  }

  private static UserCommand owned(UserCommand command, String person) {
    return command instanceof UserCommand.SubmitJob c && c.spec().owner().isEmpty()
        ? new UserCommand.SubmitJob(c.spec().ownedBy(person), c.submission(), c.schedule())
        : command;
  }

  /**
   * The command as the topic's publishers may give it. Throws {@link InvalidInputException} for a
   * job of another owner, {@link DeniedException} for a command about one, and {@link
   * dev.mayfly.core.error.UnknownNameException} if its cluster is not there.
   */
  UserCommand allowed(UserCommand command, MessageTopic topic) {
    return topic.person().isEmpty() ? command : new Own(topic, topic.person().get()).of(command);
  }

  /** What one person may change. */
  private final class Own {
    private final MessageTopic topic;
    private final String person;

    Own(MessageTopic topic, String person) {
      this.topic = topic;
      this.person = person;
    }

    UserCommand of(UserCommand command) {
      return switch (command) {
        case UserCommand.SubmitJob c -> submitted(c);
        case UserCommand.StopJob c ->
            new UserCommand.StopJob(c.cluster(), job(c.cluster(), c.job()));
        case UserCommand.RetryJob c ->
            new UserCommand.RetryJob(
                c.cluster(), job(c.cluster(), c.job()), c.maxUsd(), c.maxRunTime());
        case UserCommand.StopTasks c ->
            new UserCommand.StopTasks(c.cluster(), job(c.cluster(), c.job()), c.tasks());
        case UserCommand.RetryTasks c ->
            new UserCommand.RetryTasks(c.cluster(), job(c.cluster(), c.job()), c.tasks());
        case UserCommand.AddTasks c ->
            new UserCommand.AddTasks(
                c.cluster(), job(c.cluster(), c.job()), c.addition(), c.tasks());
        case UserCommand.CloseJob c ->
            new UserCommand.CloseJob(c.cluster(), job(c.cluster(), c.job()), c.additions());
        case UserCommand.ChangeSchedule c ->
            new UserCommand.ChangeSchedule(c.cluster(), named(c.schedule()), c.action());
        // To have logs sent early is to read them.
        case UserCommand.FollowLogs _,
            UserCommand.ApplyCluster _,
            UserCommand.DownCluster _,
            UserCommand.DrainWorker _,
            UserCommand.Cordon _,
            UserCommand.Uncordon _,
            UserCommand.JoinWorker _,
            UserCommand.CreateSlice _,
            UserCommand.DeleteSlice _,
            UserCommand.ReshapeSlice _ ->
            command;
      };
    }

    private UserCommand submitted(UserCommand.SubmitJob c) {
      var owner = c.spec().owner();
      if (owner.equals(Optional.of(person))) return c;
      throw new InvalidInputException(
          "owner",
          "is %s, and topic %s takes jobs of %s only; leave owner out, or write %s"
              .formatted(owner.orElse("missing"), topic.id(), person, person));
    }

    /** The address of an own job. A uid means the job that has it, whatever is called so. */
    private String job(String cluster, String address) {
      if (!UserCommand.SubmitJob.isUid(address)) return named(address);
      var uid = ClusterLookup.named(ledger, cluster).uid();
      var job = jobLookup.ofUid(uid, address);
      if (job.isEmpty()) return named(address);
      var spec = job.get().value().spec();
      if (!spec.owner().equals(Optional.of(person))) throw denied(spec.address(), spec.owner());
      return address;
    }

    private String named(String address) {
      var owner = DocumentKey.OfJobName.of("", address).owner();
      if (owner.isEmpty()) return JobAddress.of(Optional.of(person), address);
      if (!owner.get().equals(person)) throw denied(address, owner);
      return address;
    }

    private DeniedException denied(String address, Optional<String> owner) {
      return new DeniedException(
          "%s belongs to %s, and topic %s changes what belongs to %s only; ask %s, or somebody who may publish to %s"
              .formatted(
                  address,
                  owner.orElse("no person"),
                  topic.id(),
                  person,
                  owner.orElse("its submitter"),
                  topic.carries().id()));
    }
  }
}
