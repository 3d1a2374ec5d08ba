package dev.mayfly.core.control;

import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.message.UserCommand;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The jobs of one message: a predecessor with the name of another of them is that job, whatever
 * else has the name.
 */
final class LinkedSubmissions {
  private LinkedSubmissions() {}

  /** The id of a submission whose document names none. */
  static String id(String message, int number) {
    return message + "." + number;
  }

  /** The commands, with the uids of predecessors that are in the same message. */
  static List<UserCommand> of(List<UserCommand> commands, String message) {
    var uids = new HashMap<String, String>();
    for (var i = 0; i < commands.size(); i++)
      if (commands.get(i) instanceof UserCommand.SubmitJob c && c.schedule().isEmpty())
        uids.put(
            key(c, c.spec().address()),
            UserCommand.SubmitJob.uid(c.submission().orElse(id(message, i))));
    return IntStream.range(0, commands.size())
        .mapToObj(i ->
            commands.get(i) instanceof UserCommand.SubmitJob c ? linked(c, uids) : commands.get(i))
        .toList();
  }

  private static UserCommand linked(UserCommand.SubmitJob c, HashMap<String, String> uids) {
    var rules = c.spec().admission();
    if (rules.after().isEmpty()) return c;
    var after = rules.after().stream().map(p -> linked(c, p, uids)).toList();
    return new UserCommand.SubmitJob(
        c.spec().withAdmission(rules.withAfter(after)), c.submission(), c.schedule());
  }

  private static Predecessor linked(
      UserCommand.SubmitJob c, Predecessor p, HashMap<String, String> uids) {
    return p.uid().isPresent()
        ? p
        : p.withUid(Optional.ofNullable(uids.get(key(c, p.address(c.spec().owner())))));
  }

  /** Names are unique in a message for each cluster and owner. */
  private static String key(UserCommand.SubmitJob c, String job) {
    return c.spec().cluster() + "/" + job;
  }
}
