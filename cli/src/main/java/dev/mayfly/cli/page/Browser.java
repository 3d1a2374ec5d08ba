package dev.mayfly.cli.page;

import dev.mayfly.cli.context.CliContext;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Opens an address in the person's browser, where there is one. */
final class Browser {
  private static final List<String> OPENERS = List.of("xdg-open", "wslview", "open");

  private Browser() {}

  static void open(String address, CliContext cliContext) {
    var program = opener(cliContext);
    if (program.isEmpty()) {
      cliContext.screen().note("no browser is found here; open the address in one");
      return;
    }
    try {
      var unused =
          new ProcessBuilder(program.get(), address)
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      cliContext
          .screen()
          .note(
              "%s cannot be started (%s); open the address yourself"
                  .formatted(program.get(), e.getMessage()));
    }
  }

  /** None on a computer without a screen, such as one that was reached by ssh. */
  private static Optional<String> opener(CliContext cliContext) {
    var mac = System.getProperty("os.name", "").startsWith("Mac");
    var screen =
        Stream.of("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")
            .anyMatch(it -> cliContext.setting(it).isPresent());
    if (!mac && !screen) return Optional.empty();
    var folders = cliContext.setting("PATH").orElse("").split(":");
    return OPENERS.stream()
        .filter(name -> mac == name.equals("open"))
        .filter(name ->
            Stream.of(folders).anyMatch(folder -> Files.isExecutable(Path.of(folder, name))))
        .findFirst();
  }
}
