package dev.mayfly.gcp.firestore;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentMask;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Precondition;
import com.google.firestore.v1.Value;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Write;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Writes as one request, which Firestore does all or not at all. */
record Batch(Names names, List<Write> writes) {

  /** Firestore takes 10 MiB a request. */
  static final int LARGEST = 10_000_000;

  Batch {
    if (writes.size() > BatchSize.MOST)
      throw new IllegalArgumentException(
          writes.size() + " writes in a batch; at most " + BatchSize.MOST);
    var paths = new HashSet<String>();
    for (var write : writes)
      if (!paths.add(write.key().path()))
        throw new IllegalArgumentException("twice in one batch: " + write.key().path());
    writes = List.copyOf(writes);
  }

  CommitRequest request() {
    var request = CommitRequest.newBuilder().setDatabase(names.database());
    for (var write : writes) request.addWrites(write(write));
    var built = request.build();
    if (built.getSerializedSize() > LARGEST)
      throw new Invalid(
          writes.getFirst().key().path(),
          "and %d more take %,d bytes, and Firestore takes %,d at once; write fewer together"
              .formatted(writes.size() - 1, built.getSerializedSize(), LARGEST));
    return built;
  }

  private com.google.firestore.v1.Write write(Write write) {
    var to = com.google.firestore.v1.Write.newBuilder();
    var name = names.name(write.key());
    switch (write) {
      case Write.Create c ->
          to.setUpdate(Forms.form(name, c.document()))
              .setCurrentDocument(Precondition.newBuilder().setExists(false));
      case Write.Update u ->
          to.setUpdate(Forms.form(name, u.document()))
              .setCurrentDocument(
                  Precondition.newBuilder().setUpdateTime(Forms.updated(u.version())));
      case Write.Put p -> to.setUpdate(Forms.form(name, p.document()));
      case Write.Delete _ -> {
        return to.setDelete(name).build();
      }
      case Write.Notify n -> notify(to, name, n);
    }
    return to.addUpdateTransforms(Forms.changed()).build();
  }

  /** Sets the fields that it tells of and leaves the others, whoever wrote them. */
  private static void notify(
      com.google.firestore.v1.Write.Builder to, String name, Write.Notify notify) {
    var at = Values.time(notify.at());
    var pulse = Document.newBuilder().setName(name);
    var mask = DocumentMask.newBuilder().addFieldPaths("cluster");
    pulse.putFields("cluster", Values.value(notify.cluster()));
    if (notify.work()) {
      pulse.putFields("work", at);
      mask.addFieldPaths("work");
    }
    var workers = MapValue.newBuilder();
    for (var worker : notify.workers()) {
      var field = Values.escape(worker);
      workers.putFields(field, at);
      mask.addFieldPaths("workers." + quoted(field));
    }
    if (!notify.workers().isEmpty())
      pulse.putFields("workers", Value.newBuilder().setMapValue(workers).build());
    to.setUpdate(pulse).setUpdateMask(mask);
  }

  private static String quoted(String field) {
    return "`" + field.replace("\\", "\\\\").replace("`", "\\`") + "`";
  }

  Committed.Done done(CommitResponse response) {
    var versions = new ArrayList<String>();
    for (var i = 0; i < writes.size(); i++)
      versions.add(
          writes.get(i) instanceof Write.Delete
              ? ""
              : Forms.version(response.getWriteResults(i).getUpdateTime()));
    return new Committed.Done(versions);
  }

  /** Those that can conflict. */
  List<Write> conditional() {
    return writes.stream()
        .filter(w -> w instanceof Write.Create || w instanceof Write.Update)
        .toList();
  }
}
