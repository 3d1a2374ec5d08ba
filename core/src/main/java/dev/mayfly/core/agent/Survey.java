package dev.mayfly.core.agent;

import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Sorts a lease's tasks by what lies at their outputs. */
final class Survey {
  private final Objects objects;
  private final Consumer<AgentEffect.Seal> seal;
  private final String worker;

  Survey(Objects objects, Consumer<AgentEffect.Seal> seal, String worker) {
    this.objects = objects;
    this.seal = seal;
    this.worker = worker;
  }

  AgentEvent of(AgentEffect.Survey ask) {
    var urls = new HashMap<Url, Long>();
    for (var item : ask.items()) place(ask, item).ifPresent(url -> urls.put(url, item.index()));
    var found = OutputListing.of(objects, urls.keySet());
    var done = new HashSet<Long>();
    var taken = new HashSet<Long>();
    urls.forEach((url, index) -> {
      if (found.sealed().contains(url)) done.add(index);
      else if (ask.sheet().spec().data().outputs() == JobSpec.Outputs.UPLOADED)
        unsealed(ask, url, index, found, done, taken);
    });
    return new AgentEvent.Surveyed(ask.lease(), bits(ask, done), bits(ask, taken));
  }

  /** An output's URL that is none is left to the upload, whose failure tells the user. */
  private static Optional<Url> place(AgentEffect.Survey ask, TaskItem item) {
    try {
      return Optional.of(Url.of(Invocation.output(ask.sheet(), item)));
    } catch (IllegalArgumentException noPlace) {
      return Optional.empty();
    }
  }

  private void unsealed(
      AgentEffect.Survey ask,
      Url url,
      long index,
      OutputListing found,
      Set<Long> done,
      Set<Long> taken) {
    var info = found.outputs().get(url);
    if (info == null) return;
    var by = Sentinel.by(info.metadata());
    if (by.isPresent() && !Upload.whole(info)) return;
    if (by.isPresent()) {
      adopt(ask, url, index, by.get(), info);
      done.add(index);
    } else if (!ask.sheet().spec().data().overwrite()) taken.add(index);
  }

  private void adopt(AgentEffect.Survey ask, Url url, long index, Sentinel.By by, ObjectInfo info) {
    var sentinel = Upload.adopted(by, info).sentinel(worker, ask.at());
    seal.accept(
        new AgentEffect.Seal(new Attempt(ask.lease(), index), url.plus(Sentinel.SUFFIX), sentinel));
  }

  private static Bits bits(AgentEffect.Survey ask, Set<Long> indexes) {
    var start = ask.lease().start();
    var end = indexes.stream().mapToLong(i -> i + 1).max().orElse(start);
    return Bits.where(start, end, indexes::contains);
  }
}
