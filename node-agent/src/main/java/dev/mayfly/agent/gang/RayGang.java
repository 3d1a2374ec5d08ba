package dev.mayfly.agent.gang;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.model.job.TaskEnvironment.GangMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A Ray cluster of a gang's hosts: rank 0 starts the head, waits until every host has joined, and
 * runs the command; the others are its workers and end with it. ({@code ray symmetric-run} finds
 * the head by the addresses of network interfaces, which a laptop's simulated machines lack.) The
 * head's processes end with the task, as all processes of a task do. Nothing calls {@code ray
 * stop}, which would end every Ray cluster of the machine.
 */
public final class RayGang {
  /** Its arguments are the CPUs and GPUs of a host, and the command. */
  private static final String SCRIPT =
      """
      cpus=$1 gpus=$2
      shift 2
      options="--node-ip-address=$MAYFLY_NODE_IP --num-cpus=$cpus --num-gpus=$gpus --disable-usage-stats"
      if [ "$MAYFLY_RANK" = 0 ]; then
        ray start --head $options --port="$MAYFLY_COORDINATOR_PORT" --temp-dir="$TMPDIR/ray" \\
          --include-dashboard=false >"$TMPDIR/ray-start.log" 2>&1 || { cat "$TMPDIR/ray-start.log"; exit 1; }
        python3 -c '
      import os, sys, time, ray
      ray.init(address=os.environ["RAY_ADDRESS"], log_to_driver=False)
      wanted, deadline = int(os.environ["MAYFLY_WORLD_SIZE"]), time.monotonic() + 600
      while True:
          joined = sum(1 for node in ray.nodes() if node["Alive"])
          if joined >= wanted:
              break
          if time.monotonic() > deadline:
              sys.exit(f"mayfly: {joined} of {wanted} hosts joined the Ray cluster within 10 minutes")
          time.sleep(0.5)
      ' || exit 1
        exec "$@"
      fi
      tries=0
      until ray start --address="$RAY_ADDRESS" $options >"$TMPDIR/ray-start.log" 2>&1; do
        tries=$((tries + 1))
        if [ $tries -gt 120 ]; then
          cat "$TMPDIR/ray-start.log"
          echo "mayfly: this host did not join the Ray cluster at $RAY_ADDRESS within 10 minutes"
          exit 1
        fi
        sleep 5
      done
      exec python3 -c '
      import os, socket, time
      # The head goes when the command on rank 0 has ended, and its code is what counts.
      host, _, port = os.environ["RAY_ADDRESS"].rpartition(":")
      silent = 0
      while silent < 3:
          try:
              socket.create_connection((host.strip("[]"), int(port)), 5).close()
              silent = 0
          except OSError:
              silent += 1
          time.sleep(1)
      '
      """;

  private RayGang() {}

  /** The command of one host; unchanged unless the task is a gang's in Ray's mode. */
  public static List<String> command(List<String> argv, AgentEffect.Start start) {
    var spec = start.jobInfo().spec();
    var mode = spec.run().taskEnvironment().gangMode();
    if (!mode.equals(Optional.of(GangMode.RAY)) || start.peers().isEmpty()) return argv;
    var cpus = Math.max(1, spec.resources().cpuMillis() / 1000);
    var gpus = spec.resources().gpuMillis() / 1000;
    var whole =
        new ArrayList<>(
            List.of("sh", "-c", SCRIPT, "mayfly-ray", Long.toString(cpus), Long.toString(gpus)));
    whole.addAll(argv);
    return whole;
  }
}
