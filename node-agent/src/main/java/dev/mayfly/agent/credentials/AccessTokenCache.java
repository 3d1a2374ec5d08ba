package dev.mayfly.agent.credentials;

import dev.mayfly.agent.machine.MetadataClient;
import dev.mayfly.core.error.UnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The machine's access token, cached until shortly before it expires. */
public final class AccessTokenCache implements Supplier<String> {
  private static final String PATH = "instance/service-accounts/default/token";
  private static final Pattern TOKEN = Pattern.compile("\"access_token\"\\s*:\\s*\"([^\"\\s]+)\"");
  private static final Pattern LIFE = Pattern.compile("\"expires_in\"\\s*:\\s*(\\d{1,9})");
  private static final Duration AHEAD = Duration.ofMinutes(1);

  private final MetadataClient metadataClient;
  private final InstantSource clock;
  private String text = "";
  private Instant until = Instant.MIN;

  public AccessTokenCache(MetadataClient metadataClient, InstantSource clock) {
    this.metadataClient = metadataClient;
    this.clock = clock;
  }

  /** Throws {@link UnavailableException} if there is no token. */
  @Override
  public synchronized String get() {
    var now = clock.instant();
    if (now.isBefore(until)) return text;
    var answer =
        metadataClient
            .find(PATH)
            .orElseThrow(() -> new UnavailableException("this machine has no service account"));
    var token = TOKEN.matcher(answer);
    var life = LIFE.matcher(answer);
    if (!token.find()) throw new UnavailableException("the metadata server's token cannot be read");
    text = token.group(1);
    until = now.plusSeconds(life.find() ? Long.parseLong(life.group(1)) : 0).minus(AHEAD);
    return text;
  }
}
