package dev.mayfly.core.model.message;

/**
 * The topics that users publish to. Each carries only its own commands: the right to publish to a
 * topic is the right to exactly those commands.
 */
public enum UserTopic {
  /** Jobs and commands about them. */
  JOBS("mayfly-jobs"),
  /** All commands that buy, change or give back machines. */
  CLUSTERS("mayfly-clusters");

  /** The message attribute in which its publisher may name itself, without proof. */
  public static final String PUBLISHER = "mayfly-publisher";

  private final String id;

  UserTopic(String id) {
    this.id = id;
  }

  /** Its name in the project. */
  public String id() {
    return id;
  }

  /** The only topic that carries the command. */
  public static UserTopic of(UserCommand userCommand) {
    return switch (userCommand) {
      case UserCommand.SubmitJob _,
          UserCommand.StopJob _,
          UserCommand.RetryJob _,
          UserCommand.ChangeSchedule _,
          UserCommand.StopTasks _,
          UserCommand.RetryTasks _,
          UserCommand.AddTasks _,
          UserCommand.CloseJob _,
          UserCommand.FollowLogs _ ->
          JOBS;
      case UserCommand.ApplyCluster _,
          UserCommand.DownCluster _,
          UserCommand.DrainWorker _,
          UserCommand.Cordon _,
          UserCommand.Uncordon _,
          UserCommand.JoinWorker _,
          UserCommand.CreateSlice _,
          UserCommand.DeleteSlice _,
          UserCommand.ReshapeSlice _ ->
          CLUSTERS;
    };
  }
}
