package dev.mayfly.core.sentinel;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectStore.Creation;
import dev.mayfly.core.port.ObjectUrl;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sentinels of a job that has one object for many tasks ({@code sentinels: together}).
 *
 * <p>Tasks are in blocks of {@link #BLOCK}. The objects of a block are numbered, and each is
 * created once. Whoever creates one has read all of a lower number, and leaves out the tasks that
 * they name; if the number is taken meanwhile, it reads that object too and tries the next. So a
 * task is named by one object, by whoever came first, as if the object were its own: a stale agent
 * cannot publish what another has published. Where objects were deleted by hand a task may be named
 * twice; then the lowest number counts.
 */
public final class SharedSentinels {
  /** How many tasks may be in one object: task i is in block i / BLOCK. */
  public static final int BLOCK = 100;

  private static final int MAX_TRIES = 50;
  private static final int BODY_CAP = 16 << 20;
  private static final int KEPT = 256;
  private static final String COUNT = "mayfly-sentinels";

  private final ObjectStore objectStore;
  private final Codec codec;
  private final Consumer<List<Runnable>> runAll;

  /** Blocks as they were read last, by their URL: what is newer is found at the next creation. */
  private final Map<String, SentinelBlock> read =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, SentinelBlock> eldest) {
          return size() > KEPT;
        }
      };

  /**
   * @param runAll runs independent reads, perhaps at once
   */
  public SharedSentinels(ObjectStore objectStore, Codec codec, Consumer<List<Runnable>> runAll) {
    this.objectStore = objectStore;
    this.codec = codec;
    this.runAll = runAll;
  }

  /** Reads one object after another. */
  public SharedSentinels(ObjectStore objectStore, Codec codec) {
    this(objectStore, codec, all -> all.forEach(Runnable::run));
  }

  /**
   * The sentinels of those tasks that have one: the URL and the generation of the object, with the
   * metadata that the task's own sentinel would have.
   */
  public Map<Long, ObjectInfo> find(String bucket, String job, Collection<Long> tasks) {
    var asked = Set.copyOf(tasks);
    var found = new HashMap<Long, ObjectInfo>();
    blocks(bucket, job, tasks)
        .forEach((block, entries) -> {
          var now = SentinelBlock.of(entries);
          // A full one gets no more objects.
          if (now.named().size() < BLOCK) keep(url(bucket, job, block), now);
          now.named()
              .forEach((task, info) -> {
                if (asked.contains(task)) found.put(task, info);
              });
        });
    return found;
  }

  /**
   * Creates the sentinels of tasks that have none. Returns the sentinels of all, whoever made them.
   *
   * @param sentinels of tasks of the job
   */
  public Map<Long, ObjectInfo> create(String bucket, String job, Collection<Sentinel> sentinels) {
    var blocks = new TreeMap<Long, List<Sentinel>>();
    for (var sentinel : sentinels)
      blocks.computeIfAbsent(sentinel.task() / BLOCK, _ -> new ArrayList<>()).add(sentinel);
    var all = new HashMap<Long, ObjectInfo>();
    blocks.forEach((block, some) -> all.putAll(create(bucket, job, block, some)));
    return all;
  }

  private Map<Long, ObjectInfo> create(
      String bucket, String job, long block, List<Sentinel> sentinels) {
    var url = url(bucket, job, block);
    var kept = kept(url);
    var isNew = kept.isEmpty();
    var known = kept.orElseGet(() -> block(bucket, job, block));
    for (var tries = 0; tries < MAX_TRIES; tries++) {
      var named = known.named();
      var open = sentinels.stream().filter(s -> !named.containsKey(s.task())).toList();
      // What was read earlier may have been deleted, so that its tasks run again.
      if (open.size() < sentinels.size() && !isNew) {
        known = block(bucket, job, block);
        isNew = true;
        continue;
      }
      if (open.isEmpty()) return of(sentinels, known);
      var at = BucketLayout.of(bucket).sharedSentinel(job, block * BLOCK, known.next());
      if (create(at, open) instanceof Creation.Created created) {
        known = known.with(lines(created.info(), open));
        keep(url, known);
        return of(sentinels, known);
      }
      known = block(bucket, job, block);
      isNew = true;
    }
    throw new UnavailableException(
        url + " is written by other workers again and again; the sentinels will be retried");
  }

  private static Map<Long, ObjectInfo> of(List<Sentinel> sentinels, SentinelBlock block) {
    var found = new HashMap<Long, ObjectInfo>();
    for (var sentinel : sentinels)
      Optional.ofNullable(block.named().get(sentinel.task()))
          .ifPresent(info -> found.put(sentinel.task(), info));
    return found;
  }

  /** One task's needs no look into the object. */
  private Creation create(ObjectUrl at, List<Sentinel> sentinels) {
    var metadata =
        sentinels.size() == 1
            ? sentinels.getFirst().metadata()
            : Map.of(COUNT, Integer.toString(sentinels.size()));
    return objectStore.create(at, ObjectStore.Content.of(codec.sentinels(sentinels)), metadata);
  }

  /**
   * Deletes these sentinels, each as it was seen, so that their tasks run again. Those of others in
   * the same objects are written to another object first: a repeat after a crash in between does
   * the same again.
   *
   * @param seen as {@link #find} tells of them
   */
  public void delete(String bucket, String job, Map<Long, ObjectInfo> seen) {
    blocks(bucket, job, seen.keySet())
        .forEach((block, entries) -> {
          for (var entry : entries) {
            var gone = new HashSet<>(entry.sentinels().keySet());
            gone.removeIf(task -> !isOf(entry, seen.get(task)));
            if (!gone.isEmpty()) delete(bucket, job, block, entry, gone);
          }
        });
  }

  private static boolean isOf(SentinelBlock.Entry entry, @Nullable ObjectInfo seen) {
    return seen != null
        && seen.url().equals(entry.info().url())
        && seen.generation() == entry.info().generation();
  }

  private void delete(
      String bucket, String job, long block, SentinelBlock.Entry entry, Set<Long> gone) {
    var rest =
        codec.sentinels(objectStore.read(entry.info().url(), BODY_CAP).orElse(new byte[0])).stream()
            .filter(s -> !gone.contains(s.task()))
            .toList();
    // Also where none is left: a number that is free again could be taken by one agent while
    // another, which remembers more objects, takes the next for the same task.
    for (var tries = 0; ; tries++) {
      if (tries == MAX_TRIES)
        throw new UnavailableException(entry.info().url() + " is being changed; try again");
      var next = block(bucket, job, block).next();
      var at = BucketLayout.of(bucket).sharedSentinel(job, block * BLOCK, next);
      if (create(at, rest) instanceof Creation.Created) break;
    }
    var unused = objectStore.delete(entry.info().url(), entry.info().generation());
  }

  private SentinelBlock block(String bucket, String job, long block) {
    var entries = blocks(bucket, job, List.of(block * BLOCK)).getOrDefault(block, List.of());
    var now = SentinelBlock.of(entries);
    keep(url(bucket, job, block), now);
    return now;
  }

  /** The objects of all blocks with these tasks; a list for each block, empty if it has none. */
  private Map<Long, List<SentinelBlock.Entry>> blocks(
      String bucket, String job, Collection<Long> tasks) {
    var blocks = new TreeSet<Long>();
    for (var task : tasks) blocks.add(task / BLOCK);
    var objects = new ConcurrentLinkedQueue<ObjectInfo>();
    var lists = new ArrayList<Runnable>();
    while (!blocks.isEmpty()) {
      var first = blocks.pollFirst();
      var last = first;
      while (blocks.remove(last + 1)) last++;
      var end = last;
      lists.add(() -> list(bucket, job, first, end, objects));
    }
    var all = new TreeMap<Long, List<SentinelBlock.Entry>>();
    for (var task : tasks) all.put(task / BLOCK, new ArrayList<>());
    runAll.accept(lists);
    var entries = new ConcurrentLinkedQueue<SentinelBlock.Entry>();
    runAll.accept(
        objects.stream()
            .<Runnable>map(info -> () -> entry(job, info).ifPresent(entries::add))
            .toList());
    for (var entry : entries)
      Optional.ofNullable(all.get(place(entry.info().url()).orElseThrow().block()))
          .ifPresent(list -> list.add(entry));
    return all;
  }

  private void list(String bucket, String job, long first, long last, Collection<ObjectInfo> into) {
    var layout = BucketLayout.of(bucket);
    var folder = layout.sharedSentinels(job);
    // A listing begins after a name: the digits of a block are before its first object.
    var after = layout.sharedSentinels(job, first * BLOCK).name();
    var more = new AtomicBoolean(true);
    while (more.get()) {
      var page = objectStore.list(folder, after, ObjectPage.MAX_OBJECTS);
      for (var info : page.objects()) {
        var place = place(info.url());
        if (place.isEmpty()) continue;
        if (place.get().block() > last) more.set(false);
        else into.add(info);
      }
      if (page.next().isEmpty()) return;
      after = page.next().get();
    }
  }

  private Optional<SentinelBlock.Entry> entry(String job, ObjectInfo info) {
    var place = place(info.url()).orElseThrow();
    var by = Sentinel.by(info.metadata()).filter(b -> b.job().equals(job));
    var lines =
        by.isPresent()
            ? Map.of(by.get().task(), info)
            : objectStore
                .read(info.url(), BODY_CAP)
                .map(body -> lines(info, ofJob(codec.sentinels(body), job)))
                .orElse(Map.of());
    var own = new HashMap<>(lines);
    own.keySet().removeIf(task -> task / BLOCK != place.block());
    return Optional.of(new SentinelBlock.Entry(place.number(), info, own));
  }

  private static List<Sentinel> ofJob(List<Sentinel> sentinels, String job) {
    return sentinels.stream().filter(sentinel -> sentinel.job().equals(job)).toList();
  }

  private static Map<Long, ObjectInfo> lines(ObjectInfo info, List<Sentinel> sentinels) {
    var lines = new HashMap<Long, ObjectInfo>();
    for (var sentinel : sentinels)
      lines.putIfAbsent(
          sentinel.task(),
          new ObjectInfo(
              info.url(),
              info.generation(),
              info.size(),
              info.crc32c(),
              sentinel.metadata(),
              info.updated()));
    return lines;
  }

  /** Which object of which block it is, by its name. */
  private record Place(long block, int number) {}

  private static Optional<Place> place(ObjectUrl url) {
    var name = url.name().substring(url.name().lastIndexOf('/') + 1);
    if (!name.matches("[0-9]{8}-[0-9]{5}\\" + Sentinel.SUFFIX)) return Optional.empty();
    var task = Long.parseLong(name.substring(0, 8));
    return Optional.of(new Place(task / BLOCK, Integer.parseInt(name.substring(9, 14))));
  }

  private static String url(String bucket, String job, long block) {
    return BucketLayout.of(bucket).sharedSentinels(job, block * BLOCK).toString();
  }

  private Optional<SentinelBlock> kept(String url) {
    synchronized (read) {
      return Optional.ofNullable(read.get(url));
    }
  }

  private void keep(String url, SentinelBlock block) {
    synchronized (read) {
      read.put(url, block);
    }
  }
}
