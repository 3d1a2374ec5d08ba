package dev.mayfly.agent.container;

import java.util.regex.Pattern;

/**
 * Variables that an engine's program, its language or the C library interprets. A job's value must
 * not be in the environment of that program, which has the agent's rights: LD_PRELOAD would run the
 * job's code with them. Such a value is passed to the container as an argument, which others on the
 * machine may read. All other values stay hidden.
 */
final class EngineVariables {
  private static final Pattern NAMES =
      Pattern.compile(
          "(LD_|GLIBC_|GCONV_|MALLOC_|DOCKER_|PODMAN_|CONTAINER|BUILDAH_|STORAGE_|XDG_|SSL_CERT_"
              + "|DBUS_|NOTIFY_|LISTEN_).*"
              + "|GODEBUG|GOTRACEBACK|GOMAXPROCS|GOGC|GOMEMLIMIT|GOCOVERDIR|REGISTRY_AUTH_FILE"
              + "|LOCPATH|NLSPATH|TZDIR|HOSTALIASES|LOCALDOMAIN|RES_OPTIONS|RESOLV_HOST_CONF"
              + "|GETCONF_DIR|NIS_PATH|PATH|HOME|TMPDIR|.*_PROXY",
          Pattern.CASE_INSENSITIVE);

  private EngineVariables() {}

  static boolean contains(String name) {
    return NAMES.matcher(name).matches();
  }
}
