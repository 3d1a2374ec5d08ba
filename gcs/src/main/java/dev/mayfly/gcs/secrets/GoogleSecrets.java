package dev.mayfly.gcs.secrets;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.Secrets;
import dev.mayfly.wire.proof.ProvenServers;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Reads Google's Secret Manager over HTTP with the token of the machine or function. Caches
 * nothing, so that the next task or call gets a rotated secret. No response content gets into a
 * message.
 */
final class GoogleSecrets implements Secrets {
  private static final Pattern REFERENCE =
      Pattern.compile(
          "(?:projects/([a-z0-9][-a-z0-9.:]{0,79})/secrets/)?([A-Za-z0-9_-]{1,255})/(?:versions/)?(latest|[1-9][0-9]{0,9})");
  private static final Pattern DATA = Pattern.compile("\"data\"\\s*:\\s*\"([A-Za-z0-9+/=_-]*)\"");
  private static final int MILLIS = 10_000;
  private static final int LARGEST = 200_000;

  private final String base;
  private final Supplier<String> project;
  private final Supplier<String> token;

  GoogleSecrets(String endpoint, Supplier<String> project, Supplier<String> token) {
    this.base = endpoint.replaceFirst("/+$", "") + "/v1/projects/";
    this.project = project;
    this.token = token;
  }

  @Override
  public String value(String reference) {
    var parts = REFERENCE.matcher(reference);
    if (!parts.matches()) {
      throw new InvalidInputException(
          "secret " + reference.replaceAll("\\p{Cntrl}", "?"),
          "write name/latest or name/3, or projects/P/secrets/name/versions/latest");
    }
    var owner = parts.group(1) == null ? project.get() : parts.group(1);
    var url = base + owner + "/secrets/" + parts.group(2) + "/versions/" + parts.group(3);
    try {
      return read(reference, url + ":access");
    } catch (IOException e) {
      throw new UnavailableException(
          "secret " + reference + " cannot be read now: " + e.getMessage(), e);
    }
  }

  private String read(String reference, String url) throws IOException {
    var shown = token.get();
    ProvenServers.shared().connect(url, shown);
    var call = (HttpURLConnection) URI.create(url).toURL().openConnection();
    call.setRequestProperty("Authorization", "Bearer " + shown);
    call.setConnectTimeout(MILLIS);
    call.setReadTimeout(MILLIS);
    call.setInstanceFollowRedirects(false);
    call.setUseCaches(false);
    int status = call.getResponseCode();
    if (status != 200) {
      call.disconnect();
      throw refusal(reference, status);
    }
    try (var body = call.getInputStream()) {
      return decoded(reference, new String(body.readNBytes(LARGEST), StandardCharsets.US_ASCII));
    }
  }

  private static RuntimeException refusal(String reference, int status) {
    return switch (status) {
      case 404 ->
          new InvalidInputException(
              "secret " + reference, "there is no such secret or version in this project");
      case 400 ->
          new InvalidInputException(
              "secret " + reference, "this version is disabled, destroyed or does not exist");
      case 403 ->
          new MissingPermissionException(
              "secret "
                  + reference
                  + ": this service account may not read it; grant it"
                  + " roles/secretmanager.secretAccessor on that secret");
      default ->
          new UnavailableException("secret " + reference + " cannot be read now: status " + status);
    };
  }

  @SuppressWarnings("UnusedException") // The cause could reveal the secret.
  private static String decoded(String reference, String answer) {
    var data = DATA.matcher(answer);
    if (!data.find()) {
      throw new UnavailableException("secret " + reference + ": the answer holds no payload");
    }
    try {
      var bytes = Base64.getDecoder().decode(data.group(1));
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException | IllegalArgumentException e) {
      throw new InvalidInputException("secret " + reference, "its value is not text");
    }
  }
}
