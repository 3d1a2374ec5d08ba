package dev.mayfly.agent.task;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.TaskFolder;
import dev.mayfly.core.agent.output.ProducedOutput;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.files.FolderContent;
import dev.mayfly.core.files.FolderContent.Unstored;
import dev.mayfly.core.files.StoragePolicy;
import dev.mayfly.core.files.WalkStart;
import java.io.IOException;
import java.util.List;

/**
 * Reads a task's output. Throws {@link InvalidInputException} for errors that only the user can
 * fix.
 */
final class OutputCollector {
  private static final String NAME = "$MAYFLY_OUTPUT";
  private static final StoragePolicy POLICY = StoragePolicy.OUTPUT;

  private OutputCollector() {}

  static ProducedOutput at(AttemptDir dir, AttemptOutput output) throws IOException {
    var folder = new TaskFolder(dir::outputs);
    return switch (start(folder, output)) {
      case WalkStart.Missing _ -> new ProducedOutput.Nothing();
      case WalkStart.File(var file) -> new ProducedOutput.OneFile(folder.open(file));
      case WalkStart.Folder(FolderContent content) -> {
        if (!content.refused().isEmpty()) throw refusal(content.refused());
        yield new ProducedOutput.Directory(
            content.files().stream()
                .map(file -> new ProducedOutput.Entry(file.path(), folder.open(file)))
                .toList(),
            content.folders());
      }
      case WalkStart.Unusable(var obstacle) ->
          throw new InvalidInputException(
              NAME, obstacle.words() + "; leave the file or the folder itself there");
    };
  }

  /** What the output is stored without. */
  static List<Unstored> leftOut(AttemptDir dir, AttemptOutput output) throws IOException {
    return start(new TaskFolder(dir::outputs), output) instanceof WalkStart.Folder(var content)
        ? content.leftOut()
        : List.of();
  }

  private static WalkStart start(TaskFolder folder, AttemptOutput output) throws IOException {
    return folder
        .at(output.file().getFileName().toString(), POLICY, output.names())
        .orElseThrow(() ->
            new InvalidInputException(
                NAME, "the folder that it was in is no longer a folder; leave that one in place"));
  }

  private static InvalidInputException refusal(List<Unstored> refused) {
    var more = refused.size() == 1 ? "" : " (and %,d more)".formatted(refused.size() - 1);
    return new InvalidInputException(NAME, refused.getFirst().sentence(POLICY) + more);
  }
}
