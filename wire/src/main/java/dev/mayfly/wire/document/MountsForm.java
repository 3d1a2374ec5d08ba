package dev.mayfly.wire.document;

import dev.mayfly.core.model.Mount;
import dev.mayfly.wire.source.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** The file systems of a cluster's machines. */
final class MountsForm {
  private final Form form;

  MountsForm(Form form) {
    this.form = form;
  }

  List<Mount> mounts() {
    var mounts = new ArrayList<Mount>();
    var paths = new HashSet<String>();
    var rows = form.row("mounts");
    for (var i = 0; i < rows.size(); i++) {
      if (!(rows.get(i) instanceof Node.Table table)) continue;
      var mount = new Form(table, "mounts[" + i + "]", form.problems());
      if (!paths.add(mount.name("path")))
        mount.complain("path", "'" + mount.name("path") + "' is another mount's too");
      mounts.add(mount(mount));
    }
    return mounts;
  }

  private static Mount mount(Form mount) {
    var nfs = mount.text("nfs");
    var bucket = mount.text("bucket");
    if (nfs.isPresent() == bucket.isPresent())
      mount.complain("nfs", "write either nfs: host:/path or bucket: name");
    return new Mount(
        nfs.isPresent() ? Mount.Kind.NFS : Mount.Kind.GCS,
        nfs.or(() -> bucket).orElse(""),
        mount.name("path"),
        mount.flag("readOnly"));
  }
}
