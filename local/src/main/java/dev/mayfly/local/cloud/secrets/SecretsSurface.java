package dev.mayfly.local.cloud.secrets;

import com.sun.net.httpserver.HttpHandler;
import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Faults;
import dev.mayfly.local.cloud.rest.Refused;
import dev.mayfly.local.cloud.rest.Rest;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.zip.CRC32C;
import tools.jackson.databind.node.ObjectNode;

/**
 * Serves Secret Manager's REST interface: make a secret, add a version, access one. A call without
 * a bearer token is refused, as by the real service.
 */
public final class SecretsSurface {
  private static final int LARGEST = 65_536;

  private final String project;
  private final SecretStore store;
  private final Rest rest;

  public SecretsSurface(String project, SecretStore store, Faults faults) {
    this.project = project;
    this.store = store;
    this.rest = new Rest(faults, SecretsSurface::error);
  }

  /** By path prefix. */
  public Map<String, HttpHandler> routes() {
    return Map.of("/v1/projects/" + project + "/secrets", rest.handler(this::answer));
  }

  /** The path is {@code v1/projects/P/secrets[/S[:addVersion][/versions/V:access]]}. */
  private void answer(Call call) throws IOException {
    if (call.header("Authorization").filter(h -> h.startsWith("Bearer ")).isEmpty())
      throw new Refused(401, "UNAUTHENTICATED", "Request is missing required authentication.");
    var path = call.path();
    var method = call.method();
    if (path.size() == 4 && method.equals("POST")) create(call);
    else if (path.size() == 5 && method.equals("POST") && path.get(4).endsWith(":addVersion"))
      add(call, path.get(4).substring(0, path.get(4).length() - ":addVersion".length()));
    else if (path.size() == 7 && method.equals("GET") && path.get(6).endsWith(":access"))
      access(call, path.get(4), path.get(6).substring(0, path.get(6).length() - 7));
    else throw new Refused(404, "NOT_FOUND", "There is no such method");
  }

  private void create(Call call) throws IOException {
    var name = call.query("secretId").orElse("");
    if (!SecretStore.named(name))
      throw new Refused(400, "INVALID_ARGUMENT", "Invalid secretId '" + name + "'");
    if (store.exists(name))
      throw new Refused(409, "ALREADY_EXISTS", "Secret " + full(name) + " already exists.");
    store.create(name);
    call.answer(200, Call.JSON.createObjectNode().put("name", full(name)));
  }

  @SuppressWarnings("UnusedException") // The cause could tell what is in the secret.
  private void add(Call call, String name) throws IOException {
    check(name);
    var data = call.json(4 * LARGEST).path("payload").path("data").asString("");
    try {
      var number = store.add(name, Base64.getDecoder().decode(data));
      var version = Call.JSON.createObjectNode().put("name", full(name) + "/versions/" + number);
      call.answer(200, version.put("state", "ENABLED"));
    } catch (IllegalArgumentException e) {
      throw new Refused(400, "INVALID_ARGUMENT", "payload.data is not base64");
    }
  }

  private void access(Call call, String name, String version) throws IOException {
    check(name);
    if (store.forbidden(name))
      throw new Refused(
          403,
          "PERMISSION_DENIED",
          "Permission 'secretmanager.versions.access' denied for " + full(name));
    if (!version.matches("latest|[1-9][0-9]{0,9}"))
      throw new Refused(400, "INVALID_ARGUMENT", "Invalid version '" + version + "'");
    long number = version.equals("latest") ? store.latest(name) : Long.parseLong(version);
    var value =
        store.value(name, number).orElseThrow(() -> notFound(full(name) + "/versions/" + version));
    var crc = new CRC32C();
    crc.update(value);
    var answer = Call.JSON.createObjectNode().put("name", full(name) + "/versions/" + number);
    answer
        .putObject("payload")
        .put("data", Base64.getEncoder().encodeToString(value))
        .put("dataCrc32c", Long.toString(crc.getValue()));
    call.answer(200, answer);
  }

  private void check(String name) {
    if (!store.exists(name)) throw notFound(full(name));
  }

  private static Refused notFound(String what) {
    return new Refused(404, "NOT_FOUND", "Secret [" + what + "] not found or has no versions.");
  }

  private String full(String name) {
    return "projects/" + project + "/secrets/" + name;
  }

  private static ObjectNode error(Refused refused) {
    var root = Call.JSON.createObjectNode();
    root.putObject("error")
        .put("code", refused.status())
        .put("message", refused.getMessage())
        .put("status", refused.reason());
    return root;
  }
}
