package dev.mayfly.wire.schema;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.TaskAddition;
import dev.mayfly.core.model.document.Worker;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The fields that documents have in Firestore besides their record's, with their schemas. {@code
 * ConsoleFieldsTest} compares them with what the ledger writes.
 */
final class StoredFields {
  private static final String TEXT = "{'type': 'string'}";
  private static final String TIME = "{'type': 'string', 'format': 'date-time'}";
  private static final String COUNTS =
      "{'type': 'object', 'additionalProperties': {'type': 'integer'}}";
  private static final Set<Class<?>> NAMED = Set.of(Cluster.class, Job.class);
  private static final Set<Class<?>> IN_A_LINE =
      Set.of(
          Cluster.class,
          ClusterName.class,
          Job.class,
          JobName.class,
          JobQueue.class,
          Shard.class,
          Worker.class);
  private static final Set<Class<?>> EXPIRING =
      Set.of(
          ClusterName.class,
          EventRecord.class,
          JobName.class,
          RejectedMessage.class,
          TaskAddition.class);

  /** Fields that Firestore does not have while they say nothing. */
  private static final Set<String> LEFT_OUT =
      Set.of("Shard.leasedAt", "Shard.checkpointAt", "Shard.splitAt", "JobSpec.gang");

  private StoredFields() {}

  static boolean mayLack(Class<?> type, String field) {
    return LEFT_OUT.contains(FieldWords.name(type) + "." + field);
  }

  static Map<String, String> of(Class<?> type) {
    var fields = new TreeMap<String, String>();
    fields.put("changedAt", TIME);
    if (NAMED.contains(type)) fields.put("name", TEXT);
    if (IN_A_LINE.contains(type)) fields.put("summary", TEXT);
    if (EXPIRING.contains(type)) fields.put("expireAt", TIME);
    if (type == Shard.class) {
      fields.put("doneTasks", TEXT);
      fields.put("failedTasks", TEXT);
      fields.put("totals", COUNTS);
    }
    return fields;
  }
}
