package dev.mayfly.core.query.estimate;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;

/** The machines of one run of a queue: what they run and hold, and for which job they are kept. */
final class QueueMachines {
  static final int NONE = -1;

  private final RestOfQueue queue;
  private final int[][] running;
  private final long[][] given;
  private final boolean[] isThere;
  private final boolean[] isNew;
  private final boolean[] isWhole;
  private final int[] keeper;

  /** How many tasks run on each, of all jobs. */
  private final int[] busy;

  /** The place of each, and the machines of each place. */
  private final int[] place;

  private final List<List<Integer>> places = new ArrayList<>();

  /** By job and place, how many machines are kept for it there. */
  private final int[][] kept;

  QueueMachines(RestOfQueue queue) {
    this.queue = queue;
    var size = queue.machines().size();
    running = new int[size][queue.jobs().size()];
    given = new long[size][queue.jobs().size()];
    isThere = new boolean[size];
    isNew = new boolean[size];
    isWhole = new boolean[size];
    busy = new int[size];
    place = new int[size];
    var known = new HashMap<Object, Integer>();
    for (var i = 0; i < size; i++) {
      place[i] = known.computeIfAbsent(queue.machines().get(i).place(), _ -> places.size());
      if (place[i] == places.size()) places.add(new ArrayList<>());
      places.get(place[i]).add(i);
    }
    kept = new int[queue.jobs().size()][places.size()];
    keeper = new int[size];
    Arrays.fill(keeper, NONE);
    for (var job = 0; job < queue.jobs().size(); job++)
      for (int machine : queue.jobs().get(job).kept()) keepAt(machine, job);
    for (var i = 0; i < size; i++) {
      var of = given[i];
      queue.machines().get(i).given().forEach((job, tasks) -> of[job] = tasks);
      isNew[i] = queue.machines().get(i).coming().isPresent();
      isThere[i] = !isNew[i];
    }
  }

  List<Integer> there() {
    return IntStream.range(0, isThere.length).filter(i -> isThere[i]).boxed().toList();
  }

  void comes(int machine) {
    isThere[machine] = true;
  }

  void begin(int machine, int job, boolean whole) {
    running[machine][job]++;
    busy[machine]++;
    isWhole[machine] |= whole;
  }

  void end(int machine, int job) {
    running[machine][job]--;
    busy[machine]--;
    isWhole[machine] = false;
  }

  /** The room that running tasks leave. */
  FreeResources free(int machine) {
    var it = queue.machines().get(machine);
    if (isWhole[machine] || (it.one() && !isIdle(machine))) return FreeResources.of(Resources.ZERO);
    var free = FreeResources.of(it.total());
    for (var job = 0; job < running[machine].length; job++)
      free = free.without(queue.jobs().get(job).need(), running[machine][job]);
    return free;
  }

  boolean isIdle(int machine) {
    return busy[machine] == 0;
  }

  /** The job that it serves first, before it has had a task of those that wait. */
  int first(int machine) {
    return isNew[machine] ? queue.machines().get(machine).first() : NONE;
  }

  void served(int machine) {
    isNew[machine] = false;
  }

  /** Whether it holds tasks of the job that do not run yet. */
  boolean holds(int machine, int job) {
    return given[machine][job] > 0;
  }

  void take(int machine, int job) {
    given[machine][job]--;
  }

  /** The machine that holds most tasks of the job; {@link #NONE} if none holds one. */
  int holdsMost(int job) {
    var most = NONE;
    for (var i = 0; i < given.length; i++)
      if (given[i][job] > 0 && (most == NONE || given[i][job] > given[most][job])) most = i;
    return most;
  }

  void move(int from, int to, int job) {
    given[from][job]--;
    given[to][job]++;
  }

  /** The job for which it is kept; {@link #NONE} without one. */
  int keeper(int machine) {
    return keeper[machine];
  }

  /** As many of a place are kept as a task takes. */
  void keep(int machine, int job) {
    if (kept[job][place[machine]] < queue.jobs().get(job).gang()) keepAt(machine, job);
  }

  void release(int machine) {
    keepAt(machine, NONE);
  }

  private void keepAt(int machine, int job) {
    if (keeper[machine] != NONE) kept[keeper[machine]][place[machine]]--;
    keeper[machine] = job;
    if (job != NONE) kept[job][place[machine]]++;
  }

  /** Whether as many are kept for the job beside the machine, with nothing to do, as it takes. */
  boolean isComplete(int job, int machine) {
    var gang = queue.jobs().get(job).gang();
    return kept[job][place[machine]] >= gang && idleFor(job, machine).size() >= gang;
  }

  /** Those that are kept for the job beside the machine, and have nothing to do. */
  List<Integer> idleFor(int job, int machine) {
    var idle = new ArrayList<Integer>();
    for (int i : places.get(place[machine]))
      if (keeper[i] == job && isThere[i] && isIdle(i)) idle.add(i);
    return idle;
  }
}
