package dev.mayfly.wire.document;

import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.SeedSpec;
import dev.mayfly.core.model.cluster.StorageSource;
import dev.mayfly.core.model.cluster.StorageSpec;
import dev.mayfly.core.text.SpellingSuggestion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads what the machines of a Cluster document mount. */
final class StorageReader {
  /** The whole archive comes first: a part of one would be taken for all of it. */
  private static final String UNPACK =
      """
      part=.mayfly/seed.archive
      trap 'rm -f "$part"' EXIT
      curl --fail --location --silent --show-error --output "$part" -- "$1"
      tar -xf "$part" --no-same-owner
      """;

  private final FieldReader cluster;
  private final Set<String> paths = new HashSet<>();

  StorageReader(FieldReader cluster) {
    this.cluster = cluster;
  }

  /** The file systems without a name, which all machines have. */
  List<Mount> mounts() {
    var mounts = new ArrayList<Mount>();
    for (var mount : cluster.children("mounts")) {
      checkPath(mount);
      mount(mount).ifPresent(mounts::add);
    }
    return mounts;
  }

  /** Empty after a reported problem. */
  private static Optional<Mount> mount(FieldReader mount) {
    var nfs = mount.text("nfs");
    var bucket = mount.text("bucket");
    if (nfs.isPresent() == bucket.isPresent())
      mount.addProblem("nfs", "write either nfs: host:/path or bucket: name");
    var source = nfs.or(() -> bucket).orElse("");
    var path = mount.name("path");
    if (!Mount.isWord(source) || !Mount.isWord(path)) return Optional.empty();
    var kind = nfs.isPresent() ? Mount.Kind.NFS : Mount.Kind.GCS;
    return Optional.of(new Mount(kind, source, path, mount.flag("readOnly")));
  }

  /** The file systems with a name. */
  List<StorageSpec> storage() {
    var all = new ArrayList<StorageSpec>();
    var names = new HashSet<String>();
    for (var storage : cluster.children("storage")) {
      var name = storage.name("name");
      if (!names.add(name) && !name.isEmpty())
        storage.addProblem("name", "'" + name + "' is another storage's name too; choose another");
      checkPath(storage);
      var path = storage.name("path");
      source(storage)
          .filter(source -> Mount.isWord(path) && Mount.isWord(name))
          .ifPresent(source ->
              all.add(
                  new StorageSpec(
                      name, source, path, storage.flag("readOnly"), seed(storage, source))));
    }
    return all;
  }

  /** What fills the storage; an archive is a script too. */
  private static Optional<SeedSpec> seed(FieldReader storage, StorageSource source) {
    if (storage.mapping().get("seed").isEmpty()) return Optional.empty();
    var seed = storage.child("seed");
    if (source instanceof StorageSource.Bucket)
      storage.addProblem("seed", "is for volumes; fill a bucket with mayfly storage cp");
    if (storage.flag("readOnly"))
      storage.addProblem("seed", "cannot write to storage that is readOnly; leave one of them out");
    var script = seed.text("script");
    var archive = seed.text("from");
    if (script.isPresent() == archive.isPresent())
      seed.addProblem("script", "write either script or from: https://host/data.tar.gz");
    var command =
        script
            .map(text -> List.of("sh", "-eu", "-c", text))
            .or(() -> archive.map(url -> List.of("sh", "-eu", "-c", UNPACK, "seed", url)));
    if (script.filter(text -> text.indexOf('\0') >= 0).isPresent())
      seed.addProblem("script", "has a NUL character in it, which no process can be given");
    var timeout =
        seed.duration("timeout", SeedSpec.TIMEOUT, Duration.ofSeconds(1), Duration.ofDays(7));
    return command.map(argv -> new SeedSpec(argv, timeout));
  }

  private void checkPath(FieldReader storage) {
    var path = storage.name("path");
    if (!paths.add(path)) storage.addProblem("path", "'" + path + "' is also another mount's");
  }

  /** Empty after a reported problem. */
  private static Optional<StorageSource> source(FieldReader storage) {
    var nfs = storage.text("nfs").flatMap(StorageReader::nfs);
    var bucket = storage.text("bucket").map(StorageSource.Bucket::new);
    var filestore =
        storage.mapping().get("filestore").map(any -> filestore(storage.child("filestore")));
    var found = new ArrayList<StorageSource>();
    nfs.ifPresent(found::add);
    bucket.ifPresent(found::add);
    filestore.ifPresent(found::add);
    if (found.size() == 1) return Optional.of(found.getFirst());
    storage.addProblem(
        "filestore",
        "write one of filestore: {zone: us-central1-a, capacityGb: 1024}, nfs: host:/path and bucket: name");
    return Optional.empty();
  }

  private static Optional<StorageSource> nfs(String text) {
    var colon = text.indexOf(":/");
    if (colon <= 0) return Optional.empty();
    return Optional.of(new StorageSource.Nfs(text.substring(0, colon), text.substring(colon + 1)));
  }

  private static StorageSource filestore(FieldReader filestore) {
    var tier =
        filestore.text("tier").flatMap(StorageReader::tier).orElse(StorageSource.Filestore.USUAL);
    var capacity =
        filestore.mapping().get("capacityGb").map(any -> filestore.integer("capacityGb", 0));
    capacity
        .filter(gb -> gb < tier.leastGb())
        .ifPresent(gb ->
            filestore.addProblem(
                "capacityGb",
                "is %d; a Filestore instance of tier %s has %d GB or more"
                    .formatted(gb, tier, tier.leastGb())));
    if (capacity.isPresent() && filestore.text("zone").isEmpty())
      filestore.addProblem(
          "zone",
          "is missing: with capacityGb it is made, so say where, for example us-central1-a");
    return new StorageSource.Filestore(filestore.text("zone"), capacity, tier);
  }

  private static Optional<StorageSource.Tier> tier(String word) {
    for (var tier : StorageSource.Tier.values())
      if (tier.name().equals(word)) return Optional.of(tier);
    return Optional.empty();
  }

  /** Reports names of storage in pools that the document does not define. */
  void checkPools(List<StorageSpec> storage) {
    var names = storage.stream().map(StorageSpec::name).toList();
    for (var pool : cluster.children("pools")) {
      var used = pool.texts("storage");
      for (var i = 0; i < used.size(); i++)
        if (!names.contains(used.get(i)))
          pool.addProblem("storage[" + i + "]", unknown(used.get(i), names));
    }
  }

  private static String unknown(String name, List<String> names) {
    var defined = names.isEmpty() ? "it defines none" : "it defines " + String.join(", ", names);
    return "'%s' is not in the cluster's storage: %s%s"
        .formatted(name, defined, SpellingSuggestion.hint(name, names));
  }

  /** The pool with the storage that it names. */
  static PoolSpec named(PoolSpec pool, FieldReader fields) {
    if (fields.mapping().get("storage").isEmpty()) return pool;
    return pool.withStorage(Optional.of(fields.texts("storage")));
  }
}
