package dev.mayfly.core.port;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.message.UserCommand;
import java.util.List;
import java.util.Optional;

/** Encodes and decodes messages and objects. Adapters follow {@code schemas/}. */
public interface Codec {
  /**
   * The documents of a message, YAML or JSON, validated and within the size limits. Throws {@link
   * dev.mayfly.core.error.InvalidInputException} with all errors at once.
   */
  List<UserCommand> commands(byte[] message);

  /** A content hash; it does not depend on the order in which fields were written. */
  String hash(JobSpec spec);

  String hash(ClusterSpec spec);

  /** A task list object: one JSON line per task. Equal tasks give equal bytes. */
  byte[] tasks(List<TaskItem> items);

  List<TaskItem> tasks(byte[] lines);

  /** The list of what one task reads as a folder. Equal lists give equal bytes. */
  byte[] gathered(GatheredInputs inputs);

  /** Throws {@link dev.mayfly.core.error.InvalidInputException} for other content. */
  GatheredInputs gathered(byte[] list);

  byte[] sentinel(Sentinel sentinel);

  /** Empty for a body that Mayfly did not write; the sentinel counts nevertheless. */
  Optional<Sentinel> sentinel(byte[] body);

  /** Sentinels of several tasks: one JSON line per task. Equal lists give equal bytes. */
  byte[] sentinels(List<Sentinel> sentinels);

  /** Reads {@link #sentinels}; leaves out lines that Mayfly did not write. */
  List<Sentinel> sentinels(byte[] lines);

  /** An outcome object: one JSON line per task. */
  byte[] outcome(List<TaskOutcome> tasks);

  /** Throws {@link dev.mayfly.core.error.InvalidInputException} for other content. */
  List<TaskOutcome> outcomes(byte[] lines);
}
