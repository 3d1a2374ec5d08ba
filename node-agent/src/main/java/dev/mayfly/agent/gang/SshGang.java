package dev.mayfly.agent.gang;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.model.job.TaskEnvironment.GangMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Hosts of a gang that reach each other by ssh: each makes a key pair for the run, whose private
 * key stays in the attempt's folder (decision 92). A server of OpenSSH on each host, with the
 * task's rights, admits the run's keys alone. Rank 0 runs the command; the others serve until it
 * has ended.
 */
public final class SshGang {
  private static final String KEY = "id_ed25519";

  /** Its arguments are the command. Everything that it writes is in {@code $MAYFLY_SSH}. */
  private static final String SCRIPT =
      """
      set -u
      fail() { echo "mayfly: $*"; exit 1; }
      program() { command -v "$1" || { [ -x "/usr/sbin/$1" ] && echo "/usr/sbin/$1"; }; }
      sshd=$(program sshd) && client=$(program ssh) ||
        fail "mode: ssh needs the client and the server of OpenSSH on each host; install openssh-client and openssh-server in the image"
      user=$(id -un) || fail "the user $(id -u) has no name, which a server of OpenSSH needs"
      shell=$(getent passwd "$user" | cut -d: -f7)
      case $shell in */nologin | */false) fail "the user $user may not log in: its shell is $shell" ;; esac
      # Its sandbox wants this folder; only root may, and needs to, make it.
      [ "$(id -u)" != 0 ] || mkdir -p /run/sshd
      cd "$MAYFLY_SSH" || exit 1
      umask 077
      mkdir bin
      : >authorized_keys
      : >known_hosts
      : >hosts
      cat >config <<CONFIG
      Host *
        User $user
        Port $MAYFLY_SSH_PORT
        BindAddress $MAYFLY_NODE_IP
        IdentityFile $MAYFLY_SSH/id_ed25519
        IdentitiesOnly yes
        UserKnownHostsFile $MAYFLY_SSH/known_hosts
        GlobalKnownHostsFile /dev/null
        StrictHostKeyChecking yes
        BatchMode yes
        LogLevel ERROR
        # The others start a moment later.
        ConnectionAttempts 120
      CONFIG
      rank=0
      addresses=$MAYFLY_HOSTS,
      while read -r type key; do
        address=${addresses%%,*}
        addresses=${addresses#*,}
        echo "$type $key rank$rank" >>authorized_keys
        # OpenSSH leaves the brackets and the number of its usual port out.
        echo "[$address]:$MAYFLY_SSH_PORT $type $key" >>known_hosts
        printf 'Host rank%s\\n  HostName %s\\n' "$rank" "$address" >>config
        echo "$address" >>hosts
        rank=$((rank + 1))
      done <<KEYS
      $MAYFLY_SSH_KEYS
      KEYS
      [ "$rank" = "$MAYFLY_WORLD_SIZE" ] || fail "there are $rank keys for $MAYFLY_WORLD_SIZE hosts"
      # What a session finds: the task's markers, by which its processes are found, and its programs; no secrets.
      names="MAYFLY_TASK_ID MAYFLY_TASK_OF MAYFLY_VM MAYFLY_JOB MAYFLY_JOB_NAME MAYFLY_INDEX MAYFLY_ATTEMPT
        MAYFLY_RANK MAYFLY_WORLD_SIZE MAYFLY_HOSTS MAYFLY_NODE_IP MAYFLY_COORDINATOR MAYFLY_COORDINATOR_PORT
        MAYFLY_SSH MAYFLY_CACHE MAYFLY_SETUP VIRTUAL_ENV CONDA_PREFIX PATH LD_LIBRARY_PATH LANG TMPDIR
        CUDA_VISIBLE_DEVICES NVIDIA_VISIBLE_DEVICES"
      PATH=$MAYFLY_SSH/bin:$PATH
      variables=
      for name in $names; do
        eval "value=\\${$name-}"
        case $value in '' | *[\\"\\\\]*) continue ;; esac
        variables="$variables $name=\\"$value\\""
      done
      cat >sshd_config <<CONFIG
      Port $MAYFLY_SSH_PORT
      ListenAddress $MAYFLY_NODE_IP
      HostKey $MAYFLY_SSH/id_ed25519
      AuthorizedKeysFile $MAYFLY_SSH/authorized_keys
      AllowUsers $user
      PermitRootLogin prohibit-password
      AuthenticationMethods publickey
      PasswordAuthentication no
      KbdInteractiveAuthentication no
      UsePAM no
      # The folders above are Mayfly's, and closed to others.
      StrictModes no
      PidFile none
      MaxStartups 1000
      MaxSessions 1000
      PrintMotd no
      PrintLastLog no
      SetEnv$variables
      ForceCommand exec sh $MAYFLY_SSH/enter
      Subsystem sftp internal-sftp
      CONFIG
      # A session begins in the task's folder.
      cat >enter <<ENTER
      cd '$OLDPWD' || exit 1
      case \\${SSH_ORIGINAL_COMMAND-} in
        '') exec \\${SHELL:-/bin/sh} ;;
        internal-sftp) exec \\$(for s in /usr/lib/openssh /usr/libexec/openssh /usr/lib/ssh; do [ -x \\$s/sftp-server ] && echo \\$s/sftp-server; done) ;;
        *) exec sh -c "\\$SSH_ORIGINAL_COMMAND" ;;
      esac
      ENTER
      # So that launchers need no options.
      for tool in ssh scp sftp; do
        real=$(program $tool) || continue
        printf '#!/bin/sh\\nexec %s -F "%s/config" "$@"\\n' "$real" "$MAYFLY_SSH" >bin/$tool
        chmod 700 bin/$tool
      done
      cd "$OLDPWD" || exit 1
      umask 022
      "$sshd" -D -e -f "$MAYFLY_SSH/sshd_config" 2>"$MAYFLY_SSH/sshd.log" &
      server=$!
      if [ "$MAYFLY_RANK" != 0 ]; then
        # This connection ends with rank 0's command, whose code is what counts.
        ssh rank0 'echo joined; exec sleep 1000000000' 2>"$MAYFLY_SSH/join.log" | {
          read -r joined && [ "$joined" = joined ] && cat
        } || { cat "$MAYFLY_SSH/join.log" "$MAYFLY_SSH/sshd.log"; fail "this host did not reach rank 0 by ssh"; }
        kill $server 2>/dev/null
        exit 0
      fi
      rank=0
      while [ $rank -lt "$MAYFLY_WORLD_SIZE" ]; do
        ssh rank$rank true || { cat "$MAYFLY_SSH/sshd.log"; fail "rank $rank was not reached by ssh"; }
        rank=$((rank + 1))
      done
      "$@"
      code=$?
      kill $server 2>/dev/null
      exit $code
      """;

  private SshGang() {}

  /** Makes the key of one host for one run; returns the public half, empty in another mode. */
  public static Optional<String> makeKey(AgentEffect.Start start, AttemptDir dir)
      throws IOException {
    if (!asked(start)) return Optional.empty();
    var owned = PosixFilePermissions.fromString("rwx------");
    var folder = Files.createDirectory(folder(dir), PosixFilePermissions.asFileAttribute(owned));
    var pair = SshKeyPair.generate();
    var hidden = PosixFilePermissions.fromString("rw-------");
    var file = folder.resolve(KEY);
    Files.createFile(file, PosixFilePermissions.asFileAttribute(hidden));
    Files.writeString(file, pair.privateKey(), StandardOpenOption.WRITE);
    Files.writeString(folder.resolve(KEY + ".pub"), pair.publicKey() + "\n");
    return Optional.of(pair.publicKey());
  }

  /** What the command finds beside the variables of every gang. */
  public static Map<String, String> variables(AgentEffect.Start start, AttemptDir dir) {
    var told = start.peers().containsKey("MAYFLY_SSH_KEYS");
    return told ? Map.of("MAYFLY_SSH", folder(dir).toString()) : Map.of();
  }

  /** The command of one host; unchanged unless the task is a gang's in this mode. */
  public static List<String> command(List<String> argv, AgentEffect.Start start) {
    if (!asked(start) || !start.peers().containsKey("MAYFLY_SSH_KEYS")) return argv;
    var whole = new ArrayList<>(List.of("sh", "-c", SCRIPT, "mayfly-ssh"));
    whole.addAll(argv);
    return whole;
  }

  private static boolean asked(AgentEffect.Start start) {
    var mode = start.jobInfo().spec().run().taskEnvironment().gangMode();
    return mode.equals(Optional.of(GangMode.SSH));
  }

  /** By the path that is the same inside a container. */
  private static Path folder(AttemptDir dir) {
    return dir.containedTemporary().resolve("ssh");
  }
}
