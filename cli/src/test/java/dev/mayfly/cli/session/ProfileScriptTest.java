package dev.mayfly.cli.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Beside real processes that are called like an interpreter. */
@Timeout(60)
class ProfileScriptTest {
  @TempDir Path folder;
  private final List<Process> processes = new ArrayList<>();

  private record Said(int code, String out, String err) {}

  @AfterEach
  void end() throws InterruptedException {
    for (var process : processes) process.destroyForcibly().waitFor();
  }

  private String mark() {
    return folder.toString();
  }

  private Process runs(String program, Map<String, String> more) throws IOException {
    var place = Files.createDirectories(folder.resolve("bin")).resolve(program);
    if (!Files.exists(place)) Files.copy(Path.of("/bin/sleep").toRealPath(), place);
    var builder = new ProcessBuilder(place.toString(), "1000");
    builder.environment().put("MAYFLY_TASK_ID", mark());
    builder.environment().putAll(more);
    var process = builder.start();
    processes.add(process);
    // It has the interpreter's name once it is that program.
    while (!Files.isSameFile(Path.of("/proc/" + process.pid() + "/exe"), place))
      Thread.onSpinWait();
    return process;
  }

  private void tool(String name, String shell) throws IOException {
    var tools = Files.createDirectories(folder.resolve("tools"));
    var place = Files.writeString(tools.resolve(name), "#!/bin/sh\n" + shell + "\n");
    assertThat(place.toFile().setExecutable(true)).isTrue();
  }

  private Said profile(int seconds) throws IOException, InterruptedException {
    var out = folder.resolve("out").toFile();
    var err = folder.resolve("err").toFile();
    var builder =
        new ProcessBuilder(ProfileCommand.command(seconds)).redirectOutput(out).redirectError(err);
    var environment = new HashMap<String, String>();
    environment.put("PATH", folder.resolve("tools") + ":/usr/bin:/bin");
    environment.put("HOME", folder.toString());
    environment.put("MAYFLY_TASK_ID", mark());
    environment.put("MAYFLY_SESSION", "yes");
    builder.environment().clear();
    builder.environment().putAll(environment);
    var code = builder.start().waitFor();
    return new Said(
        code, Files.readString(out.toPath(), UTF_8), Files.readString(err.toPath(), UTF_8));
  }

  @Test
  void pythonIsDumped() throws Exception {
    tool("py-spy", "echo \"$@\"");
    runs("python3.12", Map.of("MAYFLY_SESSION", "yes"));
    var task = runs("python3.12", Map.of());

    assertThat(profile(0)).isEqualTo(new Said(0, "dump --pid " + task.pid() + "\n", ""));
    assertThat(task.isAlive()).isTrue();
  }

  @Test
  void flameGraphIsPrinted() throws Exception {
    tool("py-spy", "for last; do :; done; echo \"<svg>$*</svg>\" >\"$last\"; echo sampling");
    runs("python3", Map.of());

    var said = profile(7);
    assertThat(said.code()).isZero();
    assertThat(said.out()).startsWith("<svg>record --pid").contains("--duration 7");
    assertThat(said.err()).isEqualTo("sampling\n");
  }

  @Test
  void missingToolsAreNamed() throws Exception {
    var nothing = profile(0);
    assertThat(nothing.code()).isEqualTo(96);
    assertThat(nothing.err()).contains("no process of Python or Java runs in this task");

    var task = runs("python3", Map.of());
    var said = profile(0);
    assertThat(said.code()).isEqualTo(96);
    assertThat(said.err()).contains("py-spy is missing").contains("pip install py-spy");
    assertThat(task.isAlive()).isTrue();
  }

  @Test
  void toolWithoutRightsSaysWhichItNeeds() throws Exception {
    tool("py-spy", "echo 'Permission Denied' >&2; exit 1");
    runs("python3", Map.of());

    var said = profile(0);
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err()).contains("Permission Denied").contains("the right to trace");
  }

  @Test
  void javaHasItsStacks() throws Exception {
    tool("jcmd", "echo \"$@\"");
    var task = runs("java", Map.of());

    assertThat(profile(0)).isEqualTo(new Said(0, task.pid() + " Thread.print\n", ""));
    assertThat(profile(5).err()).contains("stacks only");
  }
}
