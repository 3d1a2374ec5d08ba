package dev.mayfly.core.plan.share;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Counts what each of several owners runs. */
public final class ShareCount {
  private final FairShareRule rule;
  private final Map<String, Long> tasks = new TreeMap<>();
  private final Map<String, Double> machines = new TreeMap<>();

  public ShareCount(FairShareRule rule) {
    this.rule = rule;
  }

  /**
   * Adds tasks that run; none for an owner who is only there.
   *
   * @param part what each of them counts
   */
  public void add(String owner, long running, double part) {
    tasks.merge(owner, running, Long::sum);
    machines.merge(owner, running * part, Double::sum);
  }

  /** Of each owner, by name. */
  public List<OwnerShare> shares() {
    return tasks.entrySet().stream()
        .map(it ->
            new OwnerShare(
                it.getKey(), rule.weight(it.getKey()), it.getValue(), machines(it.getKey())))
        .toList();
  }

  private Optional<OwnerShare.Machines> machines(String owner) {
    return Optional.of(
            new OwnerShare.Machines(machines.getOrDefault(owner, 0.0), rule.lately(owner)))
        .filter(_ -> rule.remembers());
  }
}
