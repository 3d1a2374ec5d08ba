package dev.mayfly.agent.boot;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.wire.Wire;
import dev.mayfly.wire.proof.ProvenServers;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds a Filestore instance by its name, with the machine's token: in its zone if that is known,
 * otherwise wherever the project has it. Caches nothing.
 */
public final class FilestoreLookup {
  private static final int MILLIS = 10_000;
  private static final int LARGEST = 4_000_000;

  /** A page of the API's answer; absent fields are empty. */
  private record InstanceList(List<Instance> instances, Optional<String> nextPageToken) {}

  private record Instance(
      String name, Optional<String> state, List<Share> fileShares, List<Network> networks) {
    /** {@code address:/share}; empty if the instance is not ready for it. */
    Optional<String> source() {
      var address = networks.stream().flatMap(n -> n.ipAddresses().stream()).findFirst();
      return state
          .filter("READY"::equals)
          .flatMap(ready -> address)
          .flatMap(ip -> fileShares.stream().findFirst().map(share -> ip + ":/" + share.name()));
    }
  }

  private record Share(String name) {}

  private record Network(List<String> ipAddresses) {}

  private final String base;
  private final Supplier<String> project;
  private final Supplier<String> token;

  /**
   * @param endpoint such as {@code https://file.googleapis.com}
   * @param project called at the first lookup; may throw {@link UnavailableException}
   * @param token a valid access token; may throw {@link UnavailableException}
   */
  public FilestoreLookup(String endpoint, Supplier<String> project, Supplier<String> token) {
    this.base = endpoint.replaceFirst("/+$", "") + "/v1/projects/";
    this.project = project;
    this.token = token;
  }

  /**
   * The NFS source of an instance.
   *
   * @param place {@code zone/name}, or {@code -/name} for any zone
   * @return {@code address:/share}
   */
  String address(String place) throws PreparationStep.Failed {
    var slash = place.indexOf('/');
    var zone = place.substring(0, Math.max(0, slash));
    var name = place.substring(slash + 1);
    var found = zone.equals("-") ? anywhere(name) : one(zone, name).map(List::of).orElse(List.of());
    var where = zone.equals("-") ? "in this project" : "in " + zone;
    if (found.isEmpty())
      throw new PreparationStep.Failed(
          "there is no Filestore instance %s %s; terraform apply makes those with capacityGb"
              .formatted(name, where));
    if (found.size() > 1)
      throw new PreparationStep.Failed(
          "Filestore has %d instances %s (%s); name the zone in the cluster's storage"
              .formatted(found.size(), name, String.join(", ", names(found))));
    var instance = found.getFirst();
    return instance
        .source()
        .orElseThrow(() ->
            new PreparationStep.Failed(
                "Filestore instance %s is %s and has no address yet"
                    .formatted(name, instance.state().orElse("without a state"))));
  }

  private static List<String> names(List<Instance> instances) {
    return instances.stream().map(Instance::name).toList();
  }

  private Optional<Instance> one(String zone, String name) throws PreparationStep.Failed {
    return get("locations/" + zone + "/instances/" + name, Instance.class);
  }

  private List<Instance> anywhere(String name) throws PreparationStep.Failed {
    var found = new ArrayList<Instance>();
    var page = Optional.of("");
    while (page.isPresent()) {
      var listed = get("locations/-/instances?pageSize=500" + page.get(), InstanceList.class);
      listed.map(InstanceList::instances).orElse(List.of()).stream()
          .filter(it -> it.name().endsWith("/instances/" + name))
          .forEach(found::add);
      page =
          listed
              .flatMap(InstanceList::nextPageToken)
              .filter(token -> !token.isEmpty())
              .map(token -> "&pageToken=" + URLEncoder.encode(token, StandardCharsets.UTF_8));
    }
    return found;
  }

  /** Empty if there is no such thing. */
  private <T> Optional<T> get(String path, Class<T> type) throws PreparationStep.Failed {
    try {
      var url = base + project.get() + "/" + path;
      var shown = token.get();
      ProvenServers.shared().connect(url, shown);
      var call = (HttpURLConnection) URI.create(url).toURL().openConnection();
      call.setRequestProperty("Authorization", "Bearer " + shown);
      call.setConnectTimeout(MILLIS);
      call.setReadTimeout(MILLIS);
      call.setInstanceFollowRedirects(false);
      call.setUseCaches(false);
      var status = call.getResponseCode();
      if (status == 404) return Optional.empty();
      if (status != 200) {
        call.disconnect();
        throw new PreparationStep.Failed(refusal(status));
      }
      try (var body = call.getInputStream()) {
        return Optional.of(Wire.shared().read(type, body.readNBytes(LARGEST)));
      }
    } catch (IOException | UnavailableException | InvalidInputException e) {
      throw new PreparationStep.Failed(
          "Filestore cannot be asked for its address now: " + e.getMessage(), e);
    }
  }

  private static String refusal(int status) {
    return status == 403
        ? "the workers' service account may not see Filestore instances, or the API is off;"
            + " Terraform grants mayflyVolumes where its variable storage has an instance"
        : "Filestore cannot be asked for its address now: status " + status;
  }
}
