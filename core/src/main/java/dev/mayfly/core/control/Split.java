package dev.mayfly.core.control;

import dev.mayfly.core.lease.Shards;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.util.ArrayList;
import java.util.List;

/**
 * One batch that shrinks a shard and creates its children. A conflict leaves all of it to whoever
 * won.
 */
final class Split implements Runnable {
  private final Deck deck;
  private final Stored<Shard> parent;
  private final List<Long> cuts;
  private List<Stored<Shard>> parts;

  Split(Deck deck, Stored<Shard> parent, List<Long> cuts) {
    this.deck = deck;
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
      var cut = Shards.cut(rest, at, deck.clock().instant());
      children.addFirst(cut.child());
      rest = cut.rest();
    }
    var writes = new ArrayList<Write>();
    writes.add(new Write.Update(rest, parent.version()));
    children.forEach(p -> writes.add(new Write.Create(p)));
    parts = List.of();
    if (!(deck.ledger().commit(writes) instanceof Committed.Done done)) return;
    var stored = new ArrayList<Stored<Shard>>();
    stored.add(new Stored<>(rest, done.versions().getFirst()));
    for (var i = 0; i < children.size(); i++)
      stored.add(new Stored<>(children.get(i), done.versions().get(i + 1)));
    parts = stored.stream().filter(s -> s.value().waits()).toList();
  }

  /** What of it may be leased now. */
  List<Stored<Shard>> parts() {
    return parts;
  }
}
