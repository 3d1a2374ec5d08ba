package dev.mayfly.gcp.firestore;

import com.google.firestore.v1.DocumentTransform.FieldTransform;
import com.google.protobuf.Timestamp;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.TaskAddition;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.wire.Wire;
import java.time.Duration;
import java.util.Map;

/**
 * Documents in Firestore: their own fields, and in addition
 *
 * <ul>
 *   <li>{@code changedAt}, the server's time of the write. It also makes every write a change,
 *       because Firestore keeps the version if nothing changes.
 *   <li>{@code totals} of a shard, the numbers that Firestore adds up over a job.
 *   <li>{@code expireAt} of events, rejections, additions of tasks, and names that no cluster or
 *       job ever had, when Firestore may delete them.
 *   <li>what {@link ConsoleFields} adds for people.
 * </ul>
 */
final class DocumentMapper {
  /** The maximum size of a document including names; Firestore's limit is 1 MiB. */
  static final int LARGEST = 1_000_000;

  static final String CHANGED = "changedAt";
  static final String EXPIRES = "expireAt";
  static final Duration KEPT = Duration.ofDays(30);

  private DocumentMapper() {}

  static com.google.firestore.v1.Document encode(String name, LedgerDocument ledgerDocument) {
    var fields = Wire.shared().fields(ledgerDocument);
    ConsoleFields.add(ledgerDocument, fields);
    switch (ledgerDocument) {
      case Shard s -> fields.put("totals", totals(s));
      case EventRecord e -> fields.put(EXPIRES, e.at().plus(KEPT));
      // No message is delivered for as long as this.
      case TaskAddition a -> fields.put(EXPIRES, a.at().plus(KEPT));
      case RejectedMessage r -> fields.put(EXPIRES, r.at().plus(KEPT));
      // Anyone may name clusters and jobs that do not exist; no message is delivered for as long as
      // this.
      case ClusterName n when n.uid().isEmpty() ->
          n.downBefore().ifPresent(at -> fields.put(EXPIRES, at.plus(KEPT)));
      case JobName n when n.job().isEmpty() ->
          n.lastCommandAt().ifPresent(at -> fields.put(EXPIRES, at.plus(KEPT)));
      default -> {}
    }
    var form =
        com.google.firestore.v1.Document.newBuilder()
            .setName(name)
            .putAllFields(ValueMapper.fields(fields))
            .build();
    if (form.getSerializedSize() > LARGEST)
      throw tooLarge(ledgerDocument, form.getSerializedSize());
    return form;
  }

  private static Map<String, Object> totals(Shard s) {
    return Map.of(
        "done",
        (long) s.done().count(),
        "failed",
        s.failedAlone(),
        "ready",
        s.isLeasable() ? s.open() : 0L,
        "leased",
        s.state() == Shard.State.LEASED ? s.open() : 0L);
  }

  private static InvalidInputException tooLarge(LedgerDocument ledgerDocument, int bytes) {
    return new InvalidInputException(
        ledgerDocument.key().path(),
        "takes %,d bytes, but Firestore holds at most %,d per document; shorten its lists and texts, or put them into an object"
            .formatted(bytes, LARGEST));
  }

  /** Sets the server's time. */
  static FieldTransform changed() {
    return FieldTransform.newBuilder()
        .setFieldPath(CHANGED)
        .setSetToServerValue(FieldTransform.ServerValue.REQUEST_TIME)
        .build();
  }

  /** Throws if the document is unreadable: people and newer versions edit documents. */
  static <D extends LedgerDocument> VersionedDocument<D> decode(
      Class<D> type, com.google.firestore.v1.Document form) {
    var value = Wire.shared().document(type, ValueMapper.plain(form.getFieldsMap()));
    return new VersionedDocument<>(value, version(form.getUpdateTime()));
  }

  static String version(Timestamp updated) {
    return updated.getSeconds() + "." + updated.getNanos();
  }

  static Timestamp updated(String version) {
    var dot = version.indexOf('.');
    return Timestamp.newBuilder()
        .setSeconds(Long.parseLong(version.substring(0, dot)))
        .setNanos(Integer.parseInt(version.substring(dot + 1)))
        .build();
  }
}
