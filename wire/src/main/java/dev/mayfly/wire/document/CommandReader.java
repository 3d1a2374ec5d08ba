package dev.mayfly.wire.document;

import dev.mayfly.core.model.message.UserCommand;

/** Reads a document of any kind as its command. */
final class CommandReader {
  private CommandReader() {}

  /**
   * @param folders whether {@code code} may be a local folder
   */
  static UserCommand command(DocumentKind documentKind, FieldReader fieldReader, boolean folders) {
    return switch (documentKind) {
      case CLUSTER -> new ClusterDocumentReader(fieldReader).command();
      case JOB -> new JobDocumentReader(fieldReader, folders).command();
      case STOP_JOB ->
          new UserCommand.StopJob(fieldReader.name("cluster"), fieldReader.name("job"));
      case RETRY_JOB ->
          new UserCommand.RetryJob(fieldReader.name("cluster"), fieldReader.name("job"));
      case STOP_TASKS ->
          new UserCommand.StopTasks(
              fieldReader.name("cluster"),
              fieldReader.name("job"),
              new TaskRangesReader(fieldReader, "tasks").ranges());
      case RETRY_TASKS ->
          new UserCommand.RetryTasks(
              fieldReader.name("cluster"),
              fieldReader.name("job"),
              new TaskRangesReader(fieldReader, "tasks").ranges());
      case ADD_TASKS ->
          new UserCommand.AddTasks(
              fieldReader.name("cluster"),
              fieldReader.name("job"),
              fieldReader.text("addition"),
              TasksReader.added(fieldReader));
      case CLOSE_JOB ->
          new UserCommand.CloseJob(
              fieldReader.name("cluster"),
              fieldReader.name("job"),
              fieldReader.mapping().get("additions").map(_ -> fieldReader.integer("additions", 0)));
      case FOLLOW_LOGS ->
          new UserCommand.FollowLogs(fieldReader.name("cluster"), fieldReader.name("job"));
      case DOWN_CLUSTER -> new UserCommand.DownCluster(fieldReader.name("cluster"));
      case DRAIN_WORKER ->
          new UserCommand.DrainWorker(fieldReader.name("cluster"), fieldReader.name("worker"));
      case JOIN_WORKER ->
          new UserCommand.JoinWorker(
              fieldReader.name("cluster"),
              fieldReader.name("pool"),
              fieldReader.name("worker"),
              fieldReader.text("machine").orElse(""),
              fieldReader.text("nonceHash").orElse(""),
              fieldReader.child("labels").scalars());
      case SLICE -> new SliceDocumentReader(fieldReader).create();
      case DELETE_SLICE ->
          new UserCommand.DeleteSlice(fieldReader.name("cluster"), fieldReader.name("slice"));
      case RESHAPE_SLICE -> new SliceDocumentReader(fieldReader).reshape();
    };
  }
}
