package dev.mayfly.agent.boot;

import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.gcs.StoreSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How gcsfuse mounts a bucket for tasks.
 *
 * @param user runs tasks; empty where tasks run as the agent's user
 * @param endpoint a Cloud Storage other than Google's, without a slash at its end
 * @param anonymous whether that endpoint gets no token: otherwise gcsfuse asks the machine's
 *     metadata server for one, as it does for Google's
 */
record GcsfuseOptions(Optional<TaskUser> user, Optional<String> endpoint, boolean anonymous) {
  /**
   * The most objects below a folder that can be renamed, as in gcsfuse's own profile for
   * checkpoints. Without it each rename of a folder fails, and says "Too many open files".
   */
  private static final int RENAMED = 200_000;

  /**
   * @param environment of the agent
   */
  static GcsfuseOptions of(Optional<TaskUser> user, Map<String, String> environment) {
    var store = StoreSettings.from(environment);
    return new GcsfuseOptions(
        user, store.endpoint().map(Object::toString), store.token().isEmpty());
  }

  /** The program and its arguments. */
  List<String> command(Mount mount) {
    var argv =
        new ArrayList<>(List.of("gcsfuse", "--implicit-dirs", "--rename-dir-limit=" + RENAMED));
    if (mount.readOnly()) argv.addAll(List.of("-o", "ro"));
    // Without these options gcsfuse shows the files to the agent's user only.
    user.ifPresent(u ->
        argv.addAll(
            List.of(
                "-o",
                "allow_other",
                "--uid=" + u.uid(),
                "--gid=" + u.gid(),
                "--file-mode=664",
                "--dir-mode=775")));
    endpoint.ifPresent(url -> argv.addAll(elsewhere(url)));
    argv.addAll(List.of(mount.source(), mount.path()));
    return List.copyOf(argv);
  }

  /** What is not Google's has no gRPC, by which gcsfuse asks whether a bucket has real folders. */
  private List<String> elsewhere(String url) {
    var options = List.of("--custom-endpoint=" + url + "/storage/v1/", "--enable-hns=false");
    if (!anonymous) return options;
    var all = new ArrayList<>(options);
    all.add("--anonymous-access");
    return all;
  }
}
