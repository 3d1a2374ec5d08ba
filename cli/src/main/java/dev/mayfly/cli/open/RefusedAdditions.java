package dev.mayfly.cli.open;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.query.JobStatus;
import java.util.Optional;

/** What an open job did not take: a publisher that asks for no answer learns of it nowhere else. */
public final class RefusedAdditions {
  private static final int MOST = 500;

  private RefusedAdditions() {}

  /** How many additions the newest events of the job refuse, and why the last was. */
  public static Optional<String> of(ApiClient api, JobStatus job) {
    if (!job.isOpenJob()) return Optional.empty();
    var refused =
        api.events(job.cluster(), Optional.of("job/" + job.address()), MOST).stream()
            .filter(event -> event.what().equals("refused") && event.why().startsWith("add:"))
            .map(EventRecord::why)
            .toList();
    if (refused.isEmpty()) return Optional.empty();
    return Optional.of(
        "refused additions to job %1$s: %2$d, the last of them %3$s; mayfly events job/%1$s lists them"
            .formatted(job.name(), refused.size(), refused.getFirst()));
  }
}
