package dev.mayfly.core.port;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.message.UserCommand;
import java.util.List;
import java.util.Optional;

/** Values as the bytes that go into messages and objects. Adapters hold to {@code schemas/}. */
public interface Codec {
  /**
   * A message's documents, YAML or JSON, validated and within the caps. Throws {@link
   * dev.mayfly.core.error.InvalidInputException} with everything that is wrong at once.
   */
  List<UserCommand> commands(byte[] message);

  /** A content hash: equal specs have equal hashes, whatever order their fields were written in. */
  String hash(JobSpec spec);

  String hash(ClusterSpec spec);

  /** A task list object: a JSON line each. */
  byte[] tasks(List<TaskItem> items);

  List<TaskItem> tasks(byte[] lines);

  byte[] sentinel(Sentinel sentinel);

  /** Empty for a body that is not Mayfly's: such a sentinel counts all the same. */
  Optional<Sentinel> sentinel(byte[] body);

  /** An outcome object: a JSON line each. */
  byte[] outcome(List<TaskOutcome> tasks);
}
