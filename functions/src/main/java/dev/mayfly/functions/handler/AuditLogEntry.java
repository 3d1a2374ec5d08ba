package dev.mayfly.functions.handler;

import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.core.reconcile.MachineEvent.Kind;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** One entry of Cloud Audit Logs as a log sink publishes it: only the parts that are read. */
record AuditLogEntry(
    Optional<Payload> protoPayload,
    Optional<Resource> resource,
    Optional<Operation> operation,
    Optional<Instant> timestamp) {
  private static final Pattern INSTANCE =
      Pattern.compile("projects/[^/]+/zones/([^/]+)/instances/([^/]+)");

  /** The API's versions are three prefixes of the same method. */
  private static final Pattern METHOD =
      Pattern.compile("(?:(?:v1|beta|alpha)\\.)?compute\\.instances\\.(\\w+)");

  /** The audit log's payload. */
  record Payload(
      Optional<String> methodName, Optional<String> resourceName, Optional<Status> status) {}

  /** The result of the call; no code means success. */
  record Status(Optional<Integer> code) {}

  /** The resource of the entry. */
  record Resource(Optional<Map<String, String>> labels) {}

  /** A long operation has an entry at its start and one at its end. */
  record Operation(Optional<Boolean> last) {}

  /** The end of a machine; empty for anything else, including calls that failed or only started. */
  Optional<MachineEvent> event() {
    if (failed() || !ended()) return Optional.empty();
    var kind = protoPayload.flatMap(Payload::methodName).flatMap(AuditLogEntry::kind);
    var name = protoPayload.flatMap(Payload::resourceName).map(INSTANCE::matcher);
    if (kind.isEmpty() || name.isEmpty() || !name.get().matches()) return Optional.empty();
    var id =
        resource.flatMap(Resource::labels).flatMap(l -> Optional.ofNullable(l.get("instance_id")));
    var at = timestamp.orElse(Instant.EPOCH);
    return id.map(
        i -> new MachineEvent(name.get().group(1), name.get().group(2), i, kind.get(), at));
  }

  private boolean failed() {
    return protoPayload
        .flatMap(Payload::status)
        .flatMap(Status::code)
        .filter(c -> c != 0)
        .isPresent();
  }

  private boolean ended() {
    return operation.map(o -> o.last().orElse(false)).orElse(true);
  }

  private static Optional<Kind> kind(String method) {
    var matcher = METHOD.matcher(method);
    if (!matcher.matches()) return Optional.empty();
    return switch (matcher.group(1)) {
      case "preempted" -> Optional.of(Kind.PREEMPTED);
      case "hostError" -> Optional.of(Kind.HOST_ERROR);
      case "stop", "guestTerminate" -> Optional.of(Kind.STOPPED);
      case "delete", "automaticTermination" -> Optional.of(Kind.DELETED);
      default -> Optional.empty();
    };
  }
}
