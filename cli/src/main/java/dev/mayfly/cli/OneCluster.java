package dev.mayfly.cli;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster a command is about. */
final class OneCluster {
  @Option(
      names = {"-c", "--cluster"},
      paramLabel = "CLUSTER",
      description = "The cluster; needed where there are several.")
  @Nullable String name;

  String of(Session session) {
    return session.cluster(Optional.ofNullable(name));
  }
}
