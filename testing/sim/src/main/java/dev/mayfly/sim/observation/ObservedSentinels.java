package dev.mayfly.sim.observation;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.sentinel.SharedSentinels;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The sentinels of a world, one by one and together, and which of them users deleted. */
public final class ObservedSentinels {
  private final GroundTruth groundTruth;
  private final ObjectStore objects;
  private final Codec codec;
  private final Set<String> deleted = new TreeSet<>();

  ObservedSentinels(GroundTruth groundTruth, ObjectStore objects, Codec codec) {
    this.groundTruth = groundTruth;
    this.objects = objects;
    this.codec = codec;
  }

  /** That of a task; also one among those of others in one object. */
  public Optional<ObjectInfo> of(Job job, long index) {
    return objects.find(own(job, index)).or(() -> shared(job, index));
  }

  private ObjectUrl own(Job job, long index) {
    return groundTruth.output(job, index).append(Sentinel.SUFFIX);
  }

  private Optional<ObjectInfo> shared(Job job, long index) {
    if (!job.spec().data().sealedTogether()) return Optional.empty();
    var bucket = groundTruth.cluster(job.cluster()).orElseThrow().spec().bucket();
    var found = new SharedSentinels(objects, codec).find(bucket, job.uid(), List.of(index));
    return Optional.ofNullable(found.get(index));
  }

  /** The sentinels that one object holds for many tasks; none if it is of one task alone. */
  public List<Sentinel> in(ObjectInfo object) {
    return objects.read(object.url(), Integer.MAX_VALUE).map(codec::sentinels).orElse(List.of());
  }

  /**
   * A user deletes the sentinel of a task, so that it runs again, with those in the same object.
   */
  public void delete(Job job, long index) {
    deleted.add(job.uid() + "/" + index);
    deleted.add(own(job, index).toString());
    shared(job, index)
        .ifPresent(object -> {
          deleted.add(object.url().toString());
          for (var other : in(object)) deleted.add(job.uid() + "/" + other.task());
        });
  }

  /** Whether a user did that. */
  public boolean isDeleted(String job, long index) {
    return deleted.contains(job + "/" + index);
  }

  /** The same of a sentinel's URL. */
  public boolean isDeleted(ObjectUrl sentinel) {
    return deleted.contains(sentinel.toString());
  }
}
