package dev.mayfly.wire.document;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The kinds of documents that users write. */
enum DocumentKind {
  CLUSTER("Cluster", "cluster", "name"),
  JOB("Job", "job", "name"),
  STOP_JOB("StopJob", "stop-job", "job"),
  RETRY_JOB("RetryJob", "retry-job", "job"),
  FOLLOW_LOGS("FollowLogs", "follow-logs", "job"),
  DOWN_CLUSTER("DownCluster", "down-cluster", "cluster"),
  DRAIN_WORKER("DrainWorker", "drain-worker", "worker"),
  JOIN_WORKER("JoinWorker", "join-worker", "worker"),
  SLICE("Slice", "slice", "name"),
  DELETE_SLICE("DeleteSlice", "delete-slice", "slice"),
  RESHAPE_SLICE("ReshapeSlice", "reshape-slice", "slice");

  private final String word;
  private final String schema;
  private final String named;

  DocumentKind(String word, String schema, String named) {
    this.word = word;
    this.schema = schema;
    this.named = named;
  }

  String word() {
    return word;
  }

  /** The file name of the schema, without {@code .schema.json}. */
  String schema() {
    return schema;
  }

  /** The field that names the document's subject. */
  String nameField() {
    return named;
  }

  static Optional<DocumentKind> of(String word) {
    return Arrays.stream(values()).filter(k -> k.word.equals(word)).findFirst();
  }

  static Set<String> words() {
    return Arrays.stream(values())
        .map(DocumentKind::word)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
