package dev.mayfly.cli.job;

import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.wire.UserDocuments;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of commands that submit a job of one task: the fields that apply to it. */
public final class RunOptions {
  @Option(names = "--cpu", paramLabel = "N", description = "CPUs (1).")
  @Nullable String cpu;

  @Option(names = "--memory", paramLabel = "SIZE", description = "Memory, for example 4Gi.")
  @Nullable String memory;

  @Option(names = "--gpu", paramLabel = "N", description = "GPUs; 0.25 is a quarter of one.")
  @Nullable String gpu;

  @Option(
      names = "--gpu-memory",
      paramLabel = "SIZE",
      description = "Memory on each GPU, for example 6Gi; without --gpu, that part of one.")
  @Nullable String gpuMemory;

  @Option(
      names = "--tpu",
      paramLabel = "N",
      description = "TPU chips per host; the command runs on all hosts of a slice.")
  @Nullable String tpu;

  @Option(
      names = "--gang",
      paramLabel = "N",
      description = "Runs the command on N workers at once, each with a rank.")
  @Nullable String gang;

  @Option(
      names = "--pool",
      paramLabel = "POOL",
      description = "Only on workers of this pool or slice; may be repeated.")
  List<String> pools = new ArrayList<>();

  @Option(
      names = "--worker",
      paramLabel = "WORKER",
      description = "Run only on this worker of the cluster; may be repeated.")
  List<String> workers = new ArrayList<>();

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "Only in this zone or region; may be repeated.")
  List<String> zones = new ArrayList<>();

  @Option(
      names = {"-e", "--env"},
      paramLabel = "NAME=VALUE",
      description = "An environment variable; may be repeated.")
  List<String> env = new ArrayList<>();

  @Option(
      names = "--secret",
      paramLabel = "NAME=SECRET",
      description = "A variable with a value from Secret Manager; may be repeated.")
  List<String> secrets = new ArrayList<>();

  @Option(
      names = "--image",
      paramLabel = "IMAGE",
      description = "The container image for the command.")
  @Nullable String image;

  @Option(
      names = "--priority",
      paramLabel = "N",
      description = "From 0 to 100; higher runs earlier (50).")
  @Nullable String priority;

  @Option(
      names = "--after",
      paramLabel = "JOB",
      description = "Starts when this job has succeeded; may be repeated.")
  List<String> after = new ArrayList<>();

  /** The options as fields of a job. */
  public Map<String, Object> fields() {
    var resources = new LinkedHashMap<String, Object>();
    put(resources, "cpu", cpu);
    if (memory != null) resources.put("memory", memory);
    put(resources, "gpu", gpu);
    if (gpuMemory != null) resources.put("gpuMemory", gpuMemory);
    put(resources, "tpu", tpu);
    var fields = new LinkedHashMap<String, Object>();
    if (!resources.isEmpty()) fields.put("resources", resources);
    put(fields, "gang", gang);
    if (!pools.isEmpty()) fields.put("pools", pools);
    if (!workers.isEmpty()) fields.put("workers", workers);
    if (!zones.isEmpty()) fields.put("zones", zones);
    if (!env.isEmpty()) fields.put("env", literals(env, "--env "));
    if (!secrets.isEmpty()) fields.put("secrets", literals(secrets, "--secret "));
    if (!after.isEmpty()) fields.put("after", after);
    if (image != null) fields.put("image", image);
    put(fields, "priority", priority);
    return fields;
  }

  private static void put(Map<String, Object> fields, String name, @Nullable String text) {
    if (text != null) fields.put(name, UserDocuments.unquoted(text));
  }

  /** Parses NAME=VALUE pairs; {word} in a value is literal text. */
  private static Map<String, String> literals(List<String> pairs, String option) {
    var variables = DocumentFile.variables(pairs, option);
    variables.replaceAll((name, value) -> UserDocuments.literal(value));
    return variables;
  }
}
