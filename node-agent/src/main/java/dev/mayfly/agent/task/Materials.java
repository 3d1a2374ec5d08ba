package dev.mayfly.agent.task;

import dev.mayfly.agent.os.AttemptDir;
import dev.mayfly.agent.os.CodeStore;
import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.Invocation;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.job.Template;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Brings an attempt's code and input into its folder. */
final class Materials {
  private final Objects objects;
  private final CodeStore code;

  Materials(Objects objects, CodeStore code) {
    this.objects = objects;
    this.code = code;
  }

  /** Where an attempt's input lies and its output is to be left. */
  record Paths(Path input, Path output) {}

  /**
   * Fetches what the attempt needs. Throws {@link Invalid} for what another try cannot mend.
   *
   * @param dir the attempt's own
   */
  Paths fetch(AgentEffect.Start start, AttemptDir dir) throws IOException, CodeStore.Refused {
    var spec = start.sheet().spec();
    if (spec.run().code().isPresent()) {
      fill(spec.run().code().get(), dir);
    }
    var output = dir.output(Template.file(Invocation.output(start.sheet(), start.item())));
    var input = start.item().input().map(Template::file).orElse("input");
    return new Paths(input(start, dir, input), output);
  }

  private void fill(String url, AttemptDir dir) throws IOException, CodeStore.Refused {
    var hash = Template.stem(url);
    dir.fill(code.folder(hash, () -> open(url, "code bundle")));
  }

  private Path input(AgentEffect.Start start, AttemptDir dir, String name) throws IOException {
    var file = dir.input(name);
    if (Invocation.wantsInput(start.sheet().spec(), start.item())) {
      try (var in = open(start.item().input().orElseThrow(), "input")) {
        Files.copy(in, file);
      }
    }
    return file;
  }

  private InputStream open(String url, String what) throws IOException {
    return objects
        .open(Url.of(url))
        .orElseThrow(() -> new FileNotFoundException("the " + what + " " + url + " is not there"));
  }
}
