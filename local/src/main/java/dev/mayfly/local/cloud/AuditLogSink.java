package dev.mayfly.local.cloud;

import com.google.cloud.compute.v1.Operation;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.pubsub.PubSubApi;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log sink: publishes Compute's own actions to {@code mayfly-vm-events} as system-event entries
 * of the audit log.
 */
final class AuditLogSink implements Consumer<Operation> {
  private static final Logger LOG = LoggerFactory.getLogger(AuditLogSink.class);

  private final PubSubApi pubsub;
  private final String project;

  AuditLogSink(PubSubApi pubsub, String project) {
    this.pubsub = pubsub;
    this.project = project;
  }

  @Override
  public void accept(Operation operation) {
    var topic = "projects/" + project + "/topics/mayfly-vm-events";
    var when = Map.of("logging.googleapis.com/timestamp", operation.getEndTime());
    try {
      pubsub.send(topic, RestCall.JSON.writeValueAsBytes(entry(operation, project)), when);
    } catch (IOException e) {
      // A real sink does not guarantee delivery either; the next tick finds the change.
      LOG.warn("Lost the event of {}: {}", operation.getTargetLink(), e.getMessage());
    }
  }

  /** The LogEntry in the format of Cloud Logging's sinks. */
  static tools.jackson.databind.node.ObjectNode entry(Operation operation, String project) {
    var entry = RestCall.JSON.createObjectNode();
    var id = "systemevent-" + operation.getName();
    entry
        .put("insertId", operation.getName())
        .put("logName", "projects/" + project + "/logs/cloudaudit.googleapis.com%2Fsystem_event")
        .put("severity", "INFO")
        .put("timestamp", operation.getEndTime())
        .put("receiveTimestamp", operation.getEndTime());
    entry
        .putObject("operation")
        .put("id", id)
        .put("producer", operation.getOperationType())
        .put("first", true)
        .put("last", true);
    var payload =
        entry
            .putObject("protoPayload")
            .put("@type", "type.googleapis.com/google.cloud.audit.AuditLog")
            .put("serviceName", "compute.googleapis.com")
            .put("methodName", operation.getOperationType())
            .put("resourceName", last(operation.getTargetLink(), "projects/"));
    payload.putObject("authenticationInfo").put("principalEmail", "system@google.com");
    payload.putObject("status").put("message", operation.getStatusMessage());
    entry
        .putObject("resource")
        .put("type", "gce_instance")
        .putObject("labels")
        .put("instance_id", Long.toUnsignedString(operation.getTargetId()))
        .put("project_id", project)
        .put("zone", operation.getZone().substring(operation.getZone().lastIndexOf('/') + 1));
    return entry;
  }

  private static String last(String link, String from) {
    return link.substring(link.indexOf(from));
  }
}
