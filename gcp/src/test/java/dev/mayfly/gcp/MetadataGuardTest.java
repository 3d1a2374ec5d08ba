package dev.mayfly.gcp;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guard's rules in the kernel, in a separate network with a metadata server. */
class MetadataGuardTest {
  private static final String SCRIPT =
      """
      ip link set lo up && ip address add 169.254.169.254/32 dev lo || exit 9
      serve() { exec python3 -c "
      import socket
      s = socket.socket(); s.bind(('169.254.169.254', $1)); s.listen(8); print('up', flush=True)
      while True: s.accept()[0].close()"; }
      exec 3< <(serve 80) 4< <(serve 53)
      read -r _ <&3; read -r _ <&4
      sh "$1" || exit 8
      sh "$1" || exit 8
      as() { setpriv --reuid="$1" --clear-groups bash -c 'exec 3<>/dev/tcp/169.254.169.254/$0' "$2" 2>/dev/null \\
        && echo "$1 reaches $2" || echo "$1 does not reach $2"; }
      as 0 80; as 47001 80; as 47002 80; as 47001 53
      """;

  @Test
  void onlyTaskUserIsBlocked(@TempDir Path folder) throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root makes networks");
    for (var program : List.of("nft", "python3", "unshare", "setpriv", "ip"))
      assumeTrue(isThere(program), "there is no " + program + " on this machine");
    try (var machine = new BootSandbox(folder)) {
      // The boot continues until the missing bundle.
      machine.attributes.put("mayfly-bundle-sha256", "a".repeat(64));
      assertThat(machine.boot()).isEqualTo(1);
    }
    var guard = folder.resolve("opt/mayfly/guard");
    var script = Files.writeString(folder.resolve("try"), SCRIPT);
    var output = folder.resolve("said");

    var tried =
        new ProcessBuilder(
                "unshare",
                "--net",
                "--pid",
                "--fork",
                "--kill-child",
                "bash",
                script.toString(),
                guard.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(tried.waitFor(60, SECONDS)).isTrue();

    var said = Files.readString(output);
    assumeTrue(
        !said.contains("Operation not permitted") && !said.contains("not supported"),
        "networks cannot be made here: " + said);
    assertThat(said.lines())
        .containsExactly(
            "0 reaches 80", "47001 does not reach 80", "47002 reaches 80", "47001 reaches 53");
  }

  private static boolean isThere(String program) {
    return Stream.of("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin")
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)))
        || Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
