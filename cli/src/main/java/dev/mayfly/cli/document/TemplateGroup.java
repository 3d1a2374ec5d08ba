package dev.mayfly.cli.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A kind of work, with a commented cluster and job to begin with. */
enum TemplateGroup {
  HELLO("A first job, which runs as it is on a laptop.", "hello.py"),
  SWEEP("Experiments with seeds that share GPUs, and a shared file system for results."),
  FILES("A task for each file, with sentinels, on spot TPUs in three regions."),
  GANG("Distributed training on machines close together, which a task takes at once."),
  TUNER("Many trials of two CPUs in a private image, within a budget."),
  MACHINES("Seeds of one command over machines of your own.");

  private final String what;
  private final List<String> files;

  /**
   * @param programs beside the cluster and the job
   */
  TemplateGroup(String what, String... programs) {
    this.what = what;
    this.files = Stream.concat(Stream.of("cluster.yaml", "job.yaml"), Stream.of(programs)).toList();
  }

  List<String> files() {
    return files;
  }

  /** As it is typed. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String what() {
    return what;
  }

  static Optional<TemplateGroup> of(String word) {
    return Stream.of(values()).filter(group -> group.word().equals(word)).findFirst();
  }

  static List<String> words() {
    return Stream.of(values()).map(TemplateGroup::word).toList();
  }

  /**
   * The text of one of its files.
   *
   * @param file one of {@link #files}
   */
  String text(String file) {
    var name = "templates/" + word() + "/" + file;
    try (var in = TemplateGroup.class.getResourceAsStream(name)) {
      if (in == null) throw new IllegalStateException(name + " is not packaged");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be read", e);
    }
  }
}
