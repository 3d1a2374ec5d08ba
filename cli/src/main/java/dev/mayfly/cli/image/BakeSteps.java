package dev.mayfly.cli.image;

import dev.mayfly.core.catalog.BootDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The orders for gcloud that make a boot image, as arguments that no shell reads: of a disk that is
 * there, or of a machine that installs something and powers off.
 *
 * @param gcloud the program's path
 * @param name of the image
 * @param family whose newest image it becomes
 * @param project by default gcloud's own
 */
record BakeSteps(
    String gcloud, String name, Optional<String> family, String zone, Optional<String> project) {
  /**
   * The machine that installs.
   *
   * @param base {@code projects/P/global/images/[family/]NAME}
   * @param account by default none, with which it may pull public images alone
   */
  record Machine(
      String type, String base, Optional<String> subnet, int diskGb, Optional<String> account) {}

  /** The name of the machine that installs, and of its disk. */
  String machine() {
    return "bake-" + name;
  }

  List<String> create(Machine machine, Path script) {
    var line = compute("instances", "create", machine());
    line.add("--machine-type=" + machine.type());
    var path = machine.base().split("/");
    line.add("--image-project=" + path[1]);
    line.add(
        (machine.base().contains("/family/") ? "--image-family=" : "--image=")
            + path[path.length - 1]);
    line.add("--boot-disk-size=" + machine.diskGb() + "GB");
    BootDisk.usualType(machine.type()).ifPresent(it -> line.add("--boot-disk-type=" + it));
    machine.subnet().ifPresent(s -> line.add("--subnet=" + s));
    line.add("--no-address");
    if (machine.account().isPresent()) {
      line.add("--service-account=" + machine.account().get());
      line.add("--scopes=cloud-platform");
    } else line.addAll(List.of("--no-service-account", "--no-scopes"));
    line.add("--metadata-from-file=startup-script=" + script);
    return zoned(line);
  }

  /** Prints the machine's status. */
  List<String> status() {
    var line = compute("instances", "describe", machine());
    line.add("--format=value(status)");
    return zoned(line);
  }

  /** Prints what the machine has written to its console. */
  List<String> console() {
    return zoned(compute("instances", "get-serial-port-output", machine()));
  }

  List<String> image(String disk) {
    var line = compute("images", "create", name);
    line.add("--source-disk=" + disk);
    line.add("--source-disk-zone=" + zone);
    family.ifPresent(f -> line.add("--family=" + f));
    return in(line);
  }

  List<String> delete() {
    return zoned(compute("instances", "delete", machine()));
  }

  private List<String> compute(String... words) {
    var line = new ArrayList<>(List.of(gcloud, "compute"));
    line.addAll(List.of(words));
    return line;
  }

  private List<String> zoned(List<String> line) {
    line.add("--zone=" + zone);
    return in(line);
  }

  private List<String> in(List<String> line) {
    project.ifPresent(p -> line.add("--project=" + p));
    line.add("--quiet");
    return List.copyOf(line);
  }
}
