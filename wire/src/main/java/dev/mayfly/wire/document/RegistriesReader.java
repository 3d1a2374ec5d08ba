package dev.mayfly.wire.document;

import dev.mayfly.core.model.cluster.ContainerRegistries;
import java.util.LinkedHashMap;
import java.util.Map;

/** The field {@code registries}: logins of container registries as secret references. */
record RegistriesReader(FieldReader form) {
  private static final String FIELD = "registries";

  Map<String, String> logins() {
    var logins = new LinkedHashMap<String, String>();
    var inner = form.child(FIELD);
    inner
        .mapping()
        .fields()
        .forEach((host, value) -> FieldReader.scalar(value).ifPresent(v -> logins.put(host, v)));
    for (var host : logins.keySet()) {
      if (ContainerRegistries.isDockerHub(host) && !host.equals(ContainerRegistries.DOCKER_HUB))
        inner.addProblem(host, "is Docker Hub; write " + ContainerRegistries.DOCKER_HUB);
      if (host.contains(":") && port(host) > 65_535)
        inner.addProblem(host, "has port " + port(host) + "; write 1 to 65535");
    }
    return logins;
  }

  /** The schema ensures that it is a number. */
  private static long port(String host) {
    var text = host.substring(host.indexOf(':') + 1);
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
  }
}
