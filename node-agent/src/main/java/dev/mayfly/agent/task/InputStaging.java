package dev.mayfly.agent.task;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.CodeStore;
import dev.mayfly.agent.input.GatherDownload;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.output.InputGeneration;
import dev.mayfly.core.agent.output.WrittenOutput;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.TaskTemplate;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Downloads an attempt's code and input into its folder. */
final class InputStaging {
  private final ObjectStore objectStore;
  private final CodeStore code;

  InputStaging(ObjectStore objectStore, CodeStore code) {
    this.objectStore = objectStore;
    this.code = code;
  }

  /** The paths of an attempt's input and output. */
  record Paths(Path input, Path output) {}

  /**
   * Downloads what the attempt needs. Throws {@link InvalidInputException} for an error that a
   * retry cannot fix.
   *
   * @param dir the attempt's folder
   */
  Paths fetch(AgentEffect.Start start, AttemptDir dir) throws IOException, CodeStore.InvalidCode {
    var spec = start.jobInfo().spec();
    // A runner has the code in a folder of its own.
    if (spec.run().taskEnvironment().runner().isEmpty()) code(start, dir);
    var output =
        dir.output(TaskTemplate.fileName(TaskCommand.output(start.jobInfo(), start.item())));
    if (start.jobInfo().spec().tasks() instanceof TaskSource.Gather)
      return new Paths(gathered(start, dir), output);
    var input = start.item().input().map(TaskTemplate::fileName).orElse("input");
    return new Paths(input(start, dir, input), output);
  }

  /** Puts the job's code, if it has some, into the folder in which its program starts. */
  void code(AgentEffect.Start start, AttemptDir dir) throws IOException, CodeStore.InvalidCode {
    var url = start.jobInfo().spec().run().code();
    if (url.isPresent()) fill(url.get(), dir);
  }

  /**
   * The generation of the input. Read before the content, so that an input which is replaced
   * meanwhile counts as the older one, and the task runs again. Throws only if the job's done tasks
   * depend on it.
   */
  Optional<Long> generation(AgentEffect.Start start) {
    return start.jobInfo().spec().data().doneRule().input()
        ? InputGeneration.of(objectStore, start.item())
        : InputGeneration.ifKnown(objectStore, start.item());
  }

  /** What lies at an output that the task writes itself. */
  Optional<Long> outputBefore(AgentEffect.Start start) {
    return WrittenOutput.before(objectStore, start.jobInfo(), start.item());
  }

  private void fill(String url, AttemptDir dir) throws IOException, CodeStore.InvalidCode {
    var hash = TaskTemplate.stem(url);
    dir.copyCode(code.folder(hash, () -> open(url, "code bundle")));
  }

  private Path gathered(AgentEffect.Start start, AttemptDir dir) throws IOException {
    var folder = dir.input("inputs");
    var list = start.item().input().orElseThrow();
    var inputs = new GatherDownload(objectStore).into(list, folder);
    dir.say("MAYFLY_INPUT is a folder with " + inputs.what());
    inputs.remark().ifPresent(dir::say);
    return folder;
  }

  private Path input(AgentEffect.Start start, AttemptDir dir, String name) throws IOException {
    var file = dir.input(name);
    if (TaskCommand.wantsInput(start.jobInfo().spec(), start.item())) {
      try (var in = open(start.item().input().orElseThrow(), "input")) {
        Files.copy(in, file);
      }
    }
    return file;
  }

  private InputStream open(String url, String what) throws IOException {
    return objectStore
        .open(ObjectUrl.of(url))
        .orElseThrow(() -> new FileNotFoundException("the " + what + " " + url + " is not there"));
  }
}
