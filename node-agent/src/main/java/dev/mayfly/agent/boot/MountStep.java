package dev.mayfly.agent.boot;

import dev.mayfly.agent.process.ProgramRunner;
import dev.mayfly.agent.process.ProgramRunner.Result;
import dev.mayfly.core.model.cluster.Mount;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Mounts one file system, with a time limit and a cause that says what to fix. */
final class MountStep implements PreparationStep {
  static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int REACH_MILLIS = 5_000;

  private final Mount mount;
  private final ProgramRunner programRunner;
  private final Path mounts;
  private final int nfsPort;
  private final FilestoreLookup filestore;
  private final GcsfuseOptions gcsfuse;

  /**
   * @param mounts the kernel's mount table
   * @param nfsPort 2049, except in tests
   * @param filestore finds the address of an instance
   * @param gcsfuse what a bucket's client is told
   */
  MountStep(
      Mount mount,
      ProgramRunner programRunner,
      Path mounts,
      int nfsPort,
      FilestoreLookup filestore,
      GcsfuseOptions gcsfuse) {
    this.mount = mount;
    this.programRunner = programRunner;
    this.mounts = mounts;
    this.nfsPort = nfsPort;
    this.filestore = filestore;
    this.gcsfuse = gcsfuse;
  }

  @Override
  public String name() {
    return "mount " + mount.path();
  }

  @Override
  public void run() throws Failed, InterruptedException {
    if (!mount.path().startsWith("/") || mount.source().startsWith("-")) {
      throw new Failed("'" + mount.source() + "' on '" + mount.path() + "' cannot be mounted");
    }
    if (isMounted()) {
      if (mount.kind() != Mount.Kind.GCS || answers()) return;
      unmount();
    }
    try {
      Files.createDirectories(Path.of(mount.path()));
    } catch (IOException e) {
      throw new Failed("cannot create the folder " + mount.path() + ": " + e.getMessage());
    }
    switch (mount.kind()) {
      case NFS -> nfs(mount.source());
      case FILESTORE -> nfs(filestore.address(mount.source()));
      case GCS -> bucket();
      case FOLDER -> {}
    }
  }

  private void nfs(String source) throws Failed, InterruptedException {
    int colon = source.indexOf(":/");
    if (colon <= 0) throw new Failed("'" + source + "' is not host:/path");
    checkPort(source.substring(0, colon));
    var options = (mount.readOnly() ? "ro" : "rw") + ",hard,noresvport,retry=0";
    var argv = List.of("mount", "-t", "nfs", "-o", options, source, mount.path());
    mount(argv, "NFS " + source + " did not answer", text -> nfsCause(source, text));
  }

  /** Runs the program; {@code late} and {@code cause} say what to fix if it does not succeed. */
  private void mount(List<String> argv, String late, UnaryOperator<String> cause)
      throws Failed, InterruptedException {
    var result = programRunner.run(LIMIT, argv);
    if (result instanceof Result.Ended ended && ended.ok()) return;
    throw new Failed(
        switch (result) {
          case Result.Missing m -> "this machine's image has no program " + argv.getFirst();
          case Result.TimedOut t -> late + " within " + LIMIT.toSeconds() + " s";
          case Result.Ended e -> cause.apply(e.output());
        });
  }

  private static String nfsCause(String source, String text) {
    var what = "NFS " + source + ": ";
    if (text.contains("No such file")) return what + "the server has no such export";
    if (text.contains("access denied") || text.contains("not permitted"))
      return what + "the server does not let this machine mount it; see its export rules";
    if (text.contains("helper program") || text.contains("bad option"))
      return what + "this machine's image has no NFS client (package nfs-common)";
    return what + text;
  }

  /** Checks the port first, because mount would wait for minutes without output. */
  private void checkPort(String host) throws Failed {
    var address = new InetSocketAddress(host, nfsPort);
    if (address.isUnresolved()) {
      throw new Failed("NFS server " + host + " has no address in DNS");
    }
    try (var socket = new Socket()) {
      socket.connect(address, REACH_MILLIS);
    } catch (ConnectException e) {
      throw new Failed(
          "NFS server " + host + " refuses port " + nfsPort + ": no NFS server runs there", e);
    } catch (SocketTimeoutException e) {
      throw new Failed(
          "port %d of NFS server %s does not answer: a firewall, or another VPC; allow tcp:%d"
              .formatted(nfsPort, host, nfsPort),
          e);
    } catch (IOException e) {
      throw new Failed("NFS server " + host + " cannot be reached: " + e.getMessage());
    }
  }

  private void bucket() throws Failed, InterruptedException {
    mount(
        gcsfuse.command(mount), "bucket " + mount.source() + " was not mounted", this::bucketCause);
  }

  /** Whether gcsfuse is there: it ends with the agent, and what it mounted stays in the table. */
  private boolean answers() {
    try {
      var _ = Files.getLastModifiedTime(Path.of(mount.path()));
      return true;
    } catch (IOException gone) {
      return false;
    }
  }

  private void unmount() throws Failed, InterruptedException {
    var argv =
        programRunner.find("fusermount3").isPresent()
            ? List.of("fusermount3", "-u", "-z", "--", mount.path())
            : List.of("umount", "-l", "--", mount.path());
    var what = "bucket " + mount.source() + ", whose gcsfuse has ended, was not unmounted";
    mount(argv, what, text -> what + ": " + text);
  }

  private String bucketCause(String text) {
    var what = "bucket " + mount.source() + ": ";
    if (text.contains("403") || text.contains("forbidden") || text.contains("PermissionDenied"))
      return what + "the workers' service account may not read it";
    if (text.contains("404") || text.contains("not exist")) return what + "there is no such bucket";
    return what + text;
  }

  private boolean isMounted() {
    try (var lines = Files.lines(mounts)) {
      return lines
          .map(line -> line.split(" "))
          .anyMatch(f -> f.length > 1 && isSource(f[0]) && f[1].equals(mount.path()));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * What has a place is not looked up again: its path is the instance's for this machine's life.
   */
  private boolean isSource(String source) {
    return source.equals(mount.source())
        || (mount.kind() == Mount.Kind.FILESTORE && source.contains(":/"));
  }
}
