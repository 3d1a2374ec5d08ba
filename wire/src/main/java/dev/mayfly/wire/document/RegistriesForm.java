package dev.mayfly.wire.document;

import dev.mayfly.core.model.Registries;
import java.util.LinkedHashMap;
import java.util.Map;

/** The field {@code registries}: logins of container registries, each a reference to a secret. */
record RegistriesForm(Form form) {
  private static final String FIELD = "registries";

  Map<String, String> logins() {
    var logins = new LinkedHashMap<String, String>();
    var inner = form.inner(FIELD);
    inner
        .table()
        .fields()
        .forEach((host, value) -> Form.scalar(value).ifPresent(v -> logins.put(host, v)));
    for (var host : logins.keySet()) {
      if (Registries.isDockerHub(host) && !host.equals(Registries.DOCKER_HUB))
        inner.complain(host, "is Docker Hub; write " + Registries.DOCKER_HUB);
      if (host.contains(":") && port(host) > 65_535)
        inner.complain(host, "has port " + port(host) + "; write 1 to 65535");
    }
    return logins;
  }

  /** The schema has seen to its being a number. */
  private static long port(String host) {
    var text = host.substring(host.indexOf(':') + 1);
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
  }
}
