package dev.mayfly.wire.document;

import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** Reads the file systems of a cluster's machines. */
final class MountsReader {
  private final FieldReader fieldReader;

  MountsReader(FieldReader fieldReader) {
    this.fieldReader = fieldReader;
  }

  List<Mount> mounts() {
    var mounts = new ArrayList<Mount>();
    var paths = new HashSet<String>();
    var rows = fieldReader.list("mounts");
    for (var i = 0; i < rows.size(); i++) {
      if (!(rows.get(i) instanceof SyntaxNode.Mapping mapping)) continue;
      var mount = new FieldReader(mapping, "mounts[" + i + "]", fieldReader.problems());
      if (!paths.add(mount.name("path")))
        mount.addProblem("path", "'" + mount.name("path") + "' is also another mount's");
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
}
