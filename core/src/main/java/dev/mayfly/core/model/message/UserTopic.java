package dev.mayfly.core.model.message;

/**
 * The topics that users publish to. Each carries its own commands only: the right to publish to a
 * topic is the right to those commands, and to no others.
 */
public enum UserTopic {
  /** Jobs, and what is done with them. */
  JOBS("mayfly-jobs"),
  /** All that buys, changes or gives back machines. */
  CLUSTERS("mayfly-clusters");

  /** The attribute of a message in which its publisher may say who it is; nothing proves it. */
  public static final String PUBLISHER = "mayfly-publisher";

  private final String id;

  UserTopic(String id) {
    this.id = id;
  }

  /** Its name in the project. */
  public String id() {
    return id;
  }

  /** The one topic that carries the command. */
  public static UserTopic of(UserCommand userCommand) {
    return switch (userCommand) {
      case UserCommand.SubmitJob _,
          UserCommand.StopJob _,
          UserCommand.RetryJob _,
          UserCommand.FollowLogs _ ->
          JOBS;
      case UserCommand.ApplyCluster _,
          UserCommand.DownCluster _,
          UserCommand.DrainWorker _,
          UserCommand.JoinWorker _,
          UserCommand.CreateSlice _,
          UserCommand.DeleteSlice _,
          UserCommand.ReshapeSlice _ ->
          CLUSTERS;
    };
  }
}
