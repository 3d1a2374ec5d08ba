package dev.mayfly.agent.boot;

import dev.mayfly.agent.process.ProgramRunner;
import dev.mayfly.agent.process.ProgramRunner.Result;
import dev.mayfly.core.model.cluster.Mount;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Installs programs that the cluster needs and the machine's boot image lacks, from the mirrors
 * that the image names: a container engine for an image, the client of NFS, and, from Google's
 * repository, that of buckets. A repeat continues an installation that was killed, and changes
 * nothing that is installed.
 */
final class PackageStep implements PreparationStep {
  private static final Duration LIST = Duration.ofMinutes(2);
  private static final Duration INSTALL = Duration.ofMinutes(5);
  private static final int OUTPUT = 300;

  /** Another program installs at boot too, and holds the lock meanwhile. */
  private static final String LOCK = "DPkg::Lock::Timeout=180";

  /** Without them docker starts no container where the kernel has AppArmor. */
  private static final List<String> ENGINE = List.of("docker.io", "apparmor");

  private final List<String> packages;
  private final ProgramRunner programRunner;
  private final Path root;

  private PackageStep(List<String> packages, ProgramRunner programRunner, Path root) {
    this.packages = packages;
    this.programRunner = programRunner;
    this.root = root;
  }

  /**
   * Empty if the machine has all that these need, completely installed.
   *
   * @param root of the machine's files
   */
  static Optional<PackageStep> of(
      boolean containers, List<Mount> mounts, ProgramRunner programRunner, Path root) {
    var lacking = new ArrayList<String>();
    var nfs =
        mounts.stream()
            .anyMatch(m -> m.kind() == Mount.Kind.NFS || m.kind() == Mount.Kind.FILESTORE);
    if (containers && lacks(programRunner, "docker.io", "podman", "docker")) lacking.addAll(ENGINE);
    if (nfs && lacks(programRunner, "nfs-common", "mount.nfs")) lacking.add("nfs-common");
    var bucket = mounts.stream().anyMatch(m -> m.kind() == Mount.Kind.GCS);
    if (bucket && lacks(programRunner, GcsfuseRepository.PACKAGE, "gcsfuse"))
      lacking.add(GcsfuseRepository.PACKAGE);
    return lacking.isEmpty()
        ? Optional.empty()
        : Optional.of(new PackageStep(List.copyOf(lacking), programRunner, root));
  }

  /** Whether no program is there, or only files of an installation that was killed. */
  private static boolean lacks(ProgramRunner programRunner, String name, String... programs) {
    if (List.of(programs).stream().allMatch(p -> programRunner.find(p).isEmpty())) return true;
    try {
      var state =
          programRunner.run(LIST, List.of("dpkg-query", "-W", "-f=${db:Status-Status}", name));
      return state instanceof Result.Ended ended
          && ended.ok()
          && ended.output().matches("unpacked|half-.*|triggers-.*");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public String name() {
    return "packages " + String.join(", ", packages);
  }

  @Override
  public void run() throws Failed, InterruptedException {
    if (programRunner.find("apt-get").isEmpty())
      throw new Failed(
          "this machine's image lacks them and has no apt-get; name a boot image that has them (machine.image of the pool)");
    if (packages.contains(GcsfuseRepository.PACKAGE))
      new GcsfuseRepository(root, programRunner).add();
    // Completes what a killed installation left; without any it does nothing.
    programRunner.run(INSTALL, List.of("dpkg", "--configure", "-a"));
    var listed =
        programRunner.run(
            LIST,
            List.of("apt-get", "-o", "Acquire::http::Timeout=20", "-o", LOCK, "-q", "update"));
    var argv =
        new ArrayList<>(
            List.of("apt-get", "-o", LOCK, "-q", "-y", "--no-install-recommends", "install", "--"));
    argv.addAll(packages);
    var installed = programRunner.run(INSTALL, argv);
    if (installed instanceof Result.Ended ended && ended.ok()) return;
    throw new Failed(
        "apt-get did not install them: %s; a machine reaches the mirrors through its subnet's NAT, or name a boot image that has them (machine.image of the pool)"
            .formatted(cause(listed, installed)));
  }

  /** Without lists no package is found, so that what failed first says more. */
  private static String cause(Result listed, Result installed) {
    var first = said(listed);
    return first.contains("Failed to fetch") || !(listed instanceof Result.Ended e && e.ok())
        ? first
        : said(installed);
  }

  private static String said(Result result) {
    return switch (result) {
      case Result.Missing _ -> "no apt-get";
      case Result.TimedOut _ -> "it did not end within " + INSTALL.toMinutes() + " minutes";
      case Result.Ended ended -> {
        var text = ended.output();
        yield text.substring(Math.max(0, text.length() - OUTPUT));
      }
    };
  }
}
