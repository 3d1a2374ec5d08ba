package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks that accounts of Google's own are there with their roles before the first deployment needs
 * them. Google makes such an account with the first call that fails for want of it.
 *
 * @param number of the project
 */
record ServiceAgentCheck(GoogleApis apis, String project, String number) {
  /**
   * The same as in {@code terraform/service-agents.json}.
   *
   * @param account what its address has after the project's number
   */
  record Agent(String service, String account, String role) {}

  static final List<Agent> AGENTS =
      List.of(
          new Agent("eventarc.googleapis.com", "gcp-sa-eventarc", "roles/eventarc.serviceAgent"));

  /** The call takes no more than the project in its path. */
  private record Ask() {}

  private record Policy(Optional<List<Binding>> bindings) {
    boolean has(String role, String member) {
      return bindings.orElse(List.of()).stream()
          .filter(it -> it.role().filter(role::equals).isPresent())
          .anyMatch(it -> it.members().orElse(List.of()).contains(member));
    }
  }

  private record Binding(Optional<String> role, Optional<List<String>> members) {}

  CheckResult check() {
    var about = "agents";
    var apiReply =
        apis.post("cloudresourcemanager", "/v1/projects/" + project + ":getIamPolicy", new Ask());
    if (!apiReply.ok())
      return CheckResult.note(
          about,
          "whether Google's own accounts are there is not visible (" + apiReply.why() + ")",
          CheckResult.grantCommand("roles/iam.securityReviewer", project));
    var policy = apiReply.as(Policy.class);
    var absent = new ArrayList<Agent>();
    for (var agent : AGENTS) if (!policy.has(agent.role(), member(agent))) absent.add(agent);
    if (absent.isEmpty()) return CheckResult.ok(about, "Google's own accounts are there");
    return CheckResult.wrong(
        about,
        "Google's own account of "
            + absent.stream().map(Agent::service).collect(Collectors.joining(", "))
            + " is not there, or lacks its role; Google makes it too late for the first deployment",
        absent.stream().map(this::command).collect(Collectors.joining(" && ")));
  }

  private String member(Agent agent) {
    return "serviceAccount:service-%s@%s.iam.gserviceaccount.com"
        .formatted(number, agent.account());
  }

  private String command(Agent agent) {
    return "gcloud services enable %2$s --project=%1$s && gcloud beta services identity create --service=%2$s --project=%1$s && gcloud projects add-iam-policy-binding %1$s --condition=None --role=%3$s --member=%4$s"
        .formatted(project, agent.service(), agent.role(), member(agent));
  }
}
