package dev.mayfly.local.os;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs another main class as a process that ends with its parent: its standard input is a pipe from
 * the parent, and it ends when that pipe closes, for whatever reason the parent ended.
 */
public final class ChildProcess {
  private static final Logger LOG = LoggerFactory.getLogger(ChildProcess.class);

  private ChildProcess() {}

  /**
   * The command for such a process on this process's class path, with flags for a fast start and a
   * small heap.
   *
   * @param main the main class, then its arguments
   */
  public static List<String> command(int heapMegabytes, String... main) {
    return on(System.getProperty("java.class.path"), heapMegabytes, main);
  }

  /** The same on another class path, which has this class on it, too. */
  public static List<String> on(String classPath, int heapMegabytes, String... main) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx" + heapMegabytes + "m",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dsun.net.httpserver.nodelay=true",
            "-Djdk.httpclient.keepalive.timeout=30"));
    command.addAll(aotCacheFlags(classPath));
    command.addAll(List.of("-cp", classPath, ChildProcess.class.getName()));
    command.addAll(List.of(main));
    return command;
  }

  /**
   * The flags for the launcher's class cache beside a program's jar, if it exists: it cuts the
   * start to a third.
   *
   * @param classPath the class path, whose first entry is the program's jar
   */
  static List<String> aotCacheFlags(String classPath) {
    var cache = Path.of(classPath.split(":", 2)[0]).resolveSibling("start.aot");
    return Files.exists(cache)
        ? List.of("-XX:AOTCache=" + cache, "-Xlog:disable", "-Xlog:all=error:stderr")
        : List.of();
  }

  /**
   * The same command in its own session, if {@code setsid} exists: an interrupt from the terminal
   * then reaches only the parent, which ends everything in order.
   */
  public static List<String> inOwnSession(List<String> command) {
    var path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
    for (var folder : path.split(":"))
      if (Files.isExecutable(Path.of(folder, "setsid"))) {
        var apart = new ArrayList<>(List.of("setsid"));
        apart.addAll(command);
        return apart;
      }
    return command;
  }

  /**
   * @param arguments the main class, then its arguments
   */
  public static void main(String[] arguments) throws Throwable {
    Thread.ofPlatform().daemon().name("parent").start(ChildProcess::endWithParent);
    var main = Class.forName(arguments[0]);
    var rest = Arrays.copyOfRange(arguments, 1, arguments.length);
    MethodHandles.publicLookup()
        .findStatic(main, "main", MethodType.methodType(void.class, String[].class))
        .invoke(rest);
  }

  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {}
    } catch (IOException gone) {
      LOG.debug("the pipe from the parent broke", gone);
    }
    System.exit(0);
  }
}
