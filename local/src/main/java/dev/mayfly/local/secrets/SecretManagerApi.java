package dev.mayfly.local.secrets;

import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.Route;
import java.io.IOException;
import java.util.Base64;
import java.util.zip.CRC32C;

/**
 * Serves Secret Manager's REST API: create a secret, add a version, access a version. Like the real
 * service, refuses calls without a bearer token.
 */
public final class SecretManagerApi {
  private static final int LARGEST = 65_536;

  private final String project;
  private final SecretStore store;

  public SecretManagerApi(String project, SecretStore store) {
    this.project = project;
    this.store = store;
  }

  public Route route() {
    return new Route(
        "/v1/projects/" + project + "/secrets",
        this::answer,
        AccessLevel.MACHINE,
        // Workers read the secrets that are granted to them, and change none.
        AccessLevel.OWNER,
        ApiError.Shape.STATUS);
  }

  /** The path is {@code v1/projects/P/secrets[/S[:addVersion][/versions/V:access]]}. */
  private void answer(RestCall restCall) throws IOException {
    restCall.requireToken();
    var path = restCall.path();
    var method = restCall.method();
    if (path.size() == 4 && method.equals("POST")) create(restCall);
    else if (path.size() == 5 && method.equals("POST") && path.get(4).endsWith(":addVersion"))
      add(restCall, path.get(4).substring(0, path.get(4).length() - ":addVersion".length()));
    else if (path.size() == 7 && method.equals("GET") && path.get(6).endsWith(":access"))
      access(restCall, path.get(4), path.get(6).substring(0, path.get(6).length() - 7));
    else throw restCall.unserved();
  }

  private void create(RestCall restCall) throws IOException {
    var name = restCall.query("secretId").orElse("");
    if (!SecretStore.isLegalName(name)) throw ApiError.invalid("Invalid secretId '" + name + "'");
    if (store.exists(name)) throw ApiError.exists("Secret " + full(name) + " already exists.");
    store.create(name);
    restCall.answer(200, RestCall.JSON.createObjectNode().put("name", full(name)));
  }

  @SuppressWarnings("UnusedException") // Drops the cause, which could contain the secret.
  private void add(RestCall restCall, String name) throws IOException {
    check(name);
    var data = restCall.json(4 * LARGEST).path("payload").path("data").asString("");
    try {
      var number = store.add(name, Base64.getDecoder().decode(data));
      var version =
          RestCall.JSON.createObjectNode().put("name", full(name) + "/versions/" + number);
      restCall.answer(200, version.put("state", "ENABLED"));
    } catch (IllegalArgumentException e) {
      throw ApiError.invalid("payload.data is not base64");
    }
  }

  private void access(RestCall restCall, String name, String version) throws IOException {
    check(name);
    if (store.forbidden(name))
      throw new ApiError(
          403, "forbidden", "Permission 'secretmanager.versions.access' denied for " + full(name));
    if (!version.matches("latest|[1-9][0-9]{0,9}"))
      throw ApiError.invalid("Invalid version '" + version + "'");
    long number = version.equals("latest") ? store.latest(name) : Long.parseLong(version);
    var value =
        store.value(name, number).orElseThrow(() -> notFound(full(name) + "/versions/" + version));
    var crc = new CRC32C();
    crc.update(value);
    var answer = RestCall.JSON.createObjectNode().put("name", full(name) + "/versions/" + number);
    answer
        .putObject("payload")
        .put("data", Base64.getEncoder().encodeToString(value))
        .put("dataCrc32c", Long.toString(crc.getValue()));
    restCall.answer(200, answer);
  }

  private void check(String name) {
    if (!store.exists(name)) throw notFound(full(name));
  }

  private static ApiError notFound(String what) {
    return ApiError.notFound("Secret [" + what + "] not found or has no versions.");
  }

  private String full(String name) {
    return "projects/" + project + "/secrets/" + name;
  }
}
