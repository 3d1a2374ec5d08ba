package dev.mayfly.core.jobs;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.DoneRule;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.state.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The sentinels that a job does not accept, while its tasks make their own: each is copied below
 * the job's own objects before it is deleted. A task that makes none gives the old one back at the
 * end of the job, if its output is still the one that it pins: what was done before stays done.
 */
final class SupersededSentinels {
  /** The output that was there, as its generation; 0 for none. */
  private static final String PINNED = "mayfly-superseded-generation";

  private static final String AT = "mayfly-superseded";
  private static final int BODY_CAP = 1 << 20;

  private final Context context;
  private final OutputLookup outputLookup;

  SupersededSentinels(Context context, OutputLookup outputLookup) {
    this.context = context;
    this.outputLookup = outputLookup;
  }

  static boolean mayExist(Job job) {
    return !job.spec().data().doneRule().equals(DoneRule.ANY);
  }

  /** Sets them aside, each as the generation that was seen. A repeat finds none any more. */
  void setAside(BucketLayout bucketLayout, String job, List<OutputLookup.Refused> sentinels) {
    context
        .executor()
        .runAll(
            sentinels.stream()
                .<Runnable>map(refused -> () -> setAside(bucketLayout, job, refused))
                .toList());
  }

  private void setAside(BucketLayout bucketLayout, String job, OutputLookup.Refused refused) {
    var sentinel = refused.sentinel();
    var body = context.objects().read(sentinel.url(), BODY_CAP);
    if (body.isEmpty()) return;
    var metadata = new HashMap<>(sentinel.metadata());
    metadata.put(AT, sentinel.url().toString());
    metadata.put(PINNED, Long.toString(pinned(refused)));
    write(
        bucketLayout.superseded(job, refused.index()),
        ObjectStore.Content.of(body.get()),
        metadata);
    boolean unused = context.objects().delete(sentinel.url(), sentinel.generation());
  }

  /** A sentinel that is not Mayfly's pins what lies there now. */
  private long pinned(OutputLookup.Refused refused) {
    return Sentinel.by(refused.sentinel().metadata())
        .map(Sentinel.By::generation)
        .orElseGet(() -> generation(refused.output()).orElse(0L));
  }

  private Optional<Long> generation(String output) {
    var places = List.of(output, output + OutputCheck.INDEX);
    return places.stream()
        .flatMap(place -> context.objects().find(ObjectUrl.of(place)).stream())
        .map(ObjectInfo::generation)
        .findFirst();
  }

  /** The newest counts: one of an earlier try of the job may have come back since. */
  private void write(ObjectUrl at, ObjectStore.Content content, Map<String, String> metadata) {
    if (context.objects().create(at, content, metadata)
        instanceof ObjectStore.Creation.Exists there) {
      var unused = context.objects().replace(at, content, metadata, there.info().generation());
    }
  }

  /**
   * Gives back those of the tasks in [from, to) that have no sentinel and the same output. A repeat
   * gives back the same.
   */
  void giveBack(Job job, BucketLayout bucketLayout, long from, long to) {
    if (!mayExist(job)) return;
    var first = bucketLayout.superseded(job.uid(), from);
    var last = bucketLayout.superseded(job.uid(), to).name();
    var prefix = bucketLayout.superseded(job.uid());
    // A listing begins after a name.
    context.objects().find(first).ifPresent(this::giveBack);
    for (var after = Optional.of(first.name()); after.isPresent(); ) {
      var page = context.objects().list(prefix, after.get(), ObjectPage.MAX_OBJECTS);
      for (var copy : page.objects()) {
        if (copy.url().name().compareTo(last) >= 0) return;
        giveBack(copy);
      }
      after = page.next();
    }
  }

  private void giveBack(ObjectInfo copy) {
    var metadata = new HashMap<>(copy.metadata());
    var at = metadata.remove(AT);
    var pinned = metadata.remove(PINNED);
    if (at == null || pinned == null) return;
    var output = at.substring(0, at.length() - Sentinel.SUFFIX.length());
    if (!pinned.equals("0") && !isThere(output, Long.parseLong(pinned))) return;
    context
        .objects()
        .read(copy.url(), BODY_CAP)
        .ifPresent(body -> {
          var unused =
              context.objects().create(ObjectUrl.of(at), ObjectStore.Content.of(body), metadata);
        });
  }

  private boolean isThere(String output, long pinned) {
    var found = outputLookup.find(List.of(output, output + OutputCheck.INDEX));
    return found.values().stream().anyMatch(info -> info.generation() == pinned);
  }
}
