package dev.mayfly.gcp.firestore;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentMask;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Precondition;
import com.google.firestore.v1.Value;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Writes as one atomic request. */
record WriteBatch(DocumentNames names, List<LedgerWrite> writes) {

  /** Firestore accepts 10 MiB per request. */
  static final int LARGEST = 10_000_000;

  WriteBatch {
    if (writes.size() > BatchSize.MAX_WRITES)
      throw new IllegalArgumentException(
          writes.size() + " writes in a batch; at most " + BatchSize.MAX_WRITES);
    var paths = new HashSet<String>();
    for (var ledgerWrite : writes)
      if (!paths.add(ledgerWrite.key().path()))
        throw new IllegalArgumentException("twice in one batch: " + ledgerWrite.key().path());
    writes = List.copyOf(writes);
  }

  CommitRequest request() {
    var request = CommitRequest.newBuilder().setDatabase(names.database());
    for (var ledgerWrite : writes) request.addWrites(write(ledgerWrite));
    var built = request.build();
    if (built.getSerializedSize() > LARGEST)
      throw new InvalidInputException(
          writes.getFirst().key().path(),
          "and %d more take %,d bytes, but Firestore accepts %,d at once; write fewer together"
              .formatted(writes.size() - 1, built.getSerializedSize(), LARGEST));
    return built;
  }

  private com.google.firestore.v1.Write write(LedgerWrite ledgerWrite) {
    var to = com.google.firestore.v1.Write.newBuilder();
    var name = names.name(ledgerWrite.key());
    switch (ledgerWrite) {
      case LedgerWrite.Create c ->
          to.setUpdate(DocumentMapper.encode(name, c.document()))
              .setCurrentDocument(Precondition.newBuilder().setExists(false));
      case LedgerWrite.Update u ->
          to.setUpdate(DocumentMapper.encode(name, u.document()))
              .setCurrentDocument(
                  Precondition.newBuilder().setUpdateTime(DocumentMapper.updated(u.version())));
      case LedgerWrite.Put p -> to.setUpdate(DocumentMapper.encode(name, p.document()));
      case LedgerWrite.Delete _ -> {
        return to.setDelete(name).build();
      }
      case LedgerWrite.Signal s -> merge(to, name, s);
    }
    return to.addUpdateTransforms(DocumentMapper.changed()).build();
  }

  /** Sets the given fields and keeps the others, regardless of their writer. */
  private static void merge(
      com.google.firestore.v1.Write.Builder to, String name, LedgerWrite.Signal signal) {
    var at = ValueMapper.time(signal.at());
    var form = Document.newBuilder().setName(name);
    var mask = DocumentMask.newBuilder().addFieldPaths("cluster");
    form.putFields("cluster", ValueMapper.value(signal.cluster()));
    if (signal.work()) {
      form.putFields("work", at);
      mask.addFieldPaths("work");
    }
    var workers = MapValue.newBuilder();
    for (var worker : signal.workers()) {
      var field = ValueMapper.escape(worker);
      workers.putFields(field, at);
      mask.addFieldPaths("workers." + quoted(field));
    }
    if (!signal.workers().isEmpty())
      form.putFields("workers", Value.newBuilder().setMapValue(workers).build());
    to.setUpdate(form).setUpdateMask(mask);
  }

  private static String quoted(String field) {
    return "`" + field.replace("\\", "\\\\").replace("`", "\\`") + "`";
  }

  CommitResult.Done done(CommitResponse response) {
    var versions = new ArrayList<String>();
    for (var i = 0; i < writes.size(); i++)
      versions.add(
          writes.get(i) instanceof LedgerWrite.Delete
              ? ""
              : DocumentMapper.version(response.getWriteResults(i).getUpdateTime()));
    return new CommitResult.Done(versions);
  }

  /** Writes that can conflict. */
  List<LedgerWrite> conditional() {
    return writes.stream()
        .filter(w -> w instanceof LedgerWrite.Create || w instanceof LedgerWrite.Update)
        .toList();
  }
}
