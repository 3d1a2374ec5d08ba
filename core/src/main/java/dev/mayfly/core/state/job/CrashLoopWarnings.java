package dev.mayfly.core.state.job;

import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Records that a job's tasks all fail alike, once a job, and notifies people of it. */
public final class CrashLoopWarnings {
  private static final int MOST = 1_000;

  private final Context context;

  /** Jobs of which this process has told; another process finds the event. */
  private final Set<String> told =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
              return size() > MOST;
            }
          });

  public CrashLoopWarnings(Context context) {
    this.context = context;
  }

  /** A repeat changes nothing. */
  public void tell(Job job, JobVeto.CrashLoop loop) {
    if (told.contains(job.uid())) return;
    var now = context.clock().instant();
    var text = VetoText.of(loop, now);
    var event =
        new EventRecord(
                job.cluster(),
                EventRecord.repeatableId(job.submittedAt(), VetoText.CRASH_LOOP, job.uid()),
                now,
                "job/" + job.spec().address(),
                text.kind(),
                text.text())
            .with(new PendingNotification(NotificationKind.CRASH_LOOP));
    var _ = context.ledger().commit(List.of(new LedgerWrite.Create(event)));
    told.add(job.uid());
  }
}
