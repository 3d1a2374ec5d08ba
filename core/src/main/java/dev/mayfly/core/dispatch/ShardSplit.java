package dev.mayfly.core.dispatch;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import java.util.ArrayList;
import java.util.List;

/**
 * One batch that shrinks a shard and creates its children. On a conflict nothing is written and the
 * winner keeps the shard.
 */
final class ShardSplit implements Runnable {
  private final Context context;
  private final VersionedDocument<Shard> parent;
  private final List<Long> cuts;
  private List<VersionedDocument<Shard>> parts;

  ShardSplit(Context context, VersionedDocument<Shard> parent, List<Long> cuts) {
    this.context = context;
    this.parent = parent;
    this.cuts = cuts;
    parts = List.of(parent);
  }

  /** Whether there is anything to write. */
  boolean cuts() {
    return !cuts.isEmpty();
  }

  @Override
  public void run() {
    var rest = parent.value();
    var children = new ArrayList<Shard>();
    for (var at : cuts.reversed()) {
      var cut = ShardTransitions.cut(rest, at, context.clock().instant());
      children.addFirst(cut.child());
      rest = cut.rest();
    }
    var ledgerWrites = new ArrayList<LedgerWrite>();
    ledgerWrites.add(new LedgerWrite.Update(rest, parent.version()));
    children.forEach(p -> ledgerWrites.add(new LedgerWrite.Create(p)));
    parts = List.of();
    if (!(context.ledger().commit(ledgerWrites) instanceof CommitResult.Done done)) return;
    var written = new ArrayList<VersionedDocument<Shard>>();
    written.add(new VersionedDocument<>(rest, done.versions().getFirst()));
    for (var i = 0; i < children.size(); i++)
      written.add(new VersionedDocument<>(children.get(i), done.versions().get(i + 1)));
    parts = written.stream().filter(s -> s.value().isLeasable()).toList();
  }

  /** The parts that may be leased now. */
  List<VersionedDocument<Shard>> parts() {
    return parts;
  }
}
