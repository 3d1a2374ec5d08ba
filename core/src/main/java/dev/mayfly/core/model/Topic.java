package dev.mayfly.core.model;

/**
 * The topics that users publish to. Each carries its own commands only: the right to publish to a
 * topic is the right to those commands, and to no others.
 */
public enum Topic {
  /** Jobs, and what is done with them. */
  JOBS("mayfly-jobs"),
  /** All that buys, changes or gives back machines. */
  CLUSTERS("mayfly-clusters");

  /** The attribute of a message in which its publisher may say who it is; nothing proves it. */
  public static final String PUBLISHER = "mayfly-publisher";

  private final String id;

  Topic(String id) {
    this.id = id;
  }

  /** Its name in the project. */
  public String id() {
    return id;
  }

  /** The one topic that carries the command. */
  public static Topic of(Command command) {
    return switch (command) {
      case Command.SubmitJob _, Command.StopJob _, Command.RetryJob _, Command.FollowLogs _ -> JOBS;
      case Command.ApplyCluster _,
          Command.DownCluster _,
          Command.DrainWorker _,
          Command.JoinWorker _,
          Command.CreateSlice _,
          Command.DeleteSlice _,
          Command.ReshapeSlice _ ->
          CLUSTERS;
    };
  }
}
