package dev.mayfly.cli.session;

/** What runs beside a task to profile it: in its container, as its user, with its environment. */
final class ProfileScript {
  private ProfileScript() {}

  /**
   * Takes the task's process of Python or Java that has computed the most. Processes of sessions
   * have a variable that tells them from the task's own.
   */
  static final String TEXT =
      """
      seconds=$1 best= most=-1 kind=
      say() { printf 'mayfly: %s\\n' "$1" >&2; }
      for folder in /proc/[0-9]*; do
        pid=${folder#/proc/}
        { text=$(tr '\\0' '\\n' <"$folder/environ"); } 2>/dev/null || continue
        case "
      $text
      " in *"
      MAYFLY_SESSION=yes
      "*) continue ;; esac
        case "
      $text
      " in *"
      MAYFLY_TASK_ID=$MAYFLY_TASK_ID
      "*) ;; *) continue ;; esac
        program=$(readlink "$folder/exe" 2>/dev/null) || continue
        case ${program##*/} in python*) is=python ;; java) is=java ;; *) continue ;; esac
        line=$(cat "$folder/stat" 2>/dev/null) || continue
        set -- ${line##*) }
        [ $# -gt 12 ] || continue
        used=$((${12} + ${13}))
        [ "$used" -gt "$most" ] && best=$pid most=$used kind=$is exe=$program
      done
      if [ -z "$best" ]; then
        say "no process of Python or Java runs in this task; look at it with: mayfly attach"
        exit 96
      fi
      if [ "$kind" = java ]; then
        [ "$seconds" = 0 ] || { say "of Java there are stacks only; leave out --seconds"; exit 96; }
        tool=$(command -v jcmd) || tool=${exe%/*}/jcmd
        [ -x "$tool" ] || { say "jcmd is missing: it comes with a JDK and not with a JRE; use an image that has a JDK"; exit 96; }
        exec "$tool" "$best" Thread.print
      fi
      venv=$(tr '\\0' '\\n' <"/proc/$best/environ" | sed -n 's/^VIRTUAL_ENV=//p')
      tool=$(command -v py-spy) || tool=
      for place in "$venv/bin" "${exe%/*}" "$HOME/.local/bin"; do
        [ -n "$tool" ] || { [ -x "$place/py-spy" ] && tool=$place/py-spy; }
      done
      if [ -z "$tool" ]; then
        say "py-spy is missing, in the task's environment and beside its Python ($exe)"
        say "now: pip install py-spy beside the task (mayfly exec); for all tasks: py-spy in their requirements or image"
        exit 96
      fi
      if [ "$seconds" = 0 ]; then
        "$tool" dump --pid "$best"
      else
        file=$(mktemp) || exit 96
        trap 'rm -f "$file"' EXIT
        "$tool" record --pid "$best" --duration "$seconds" --format flamegraph --output "$file" >&2 &&
          cat "$file"
      fi
      code=$?
      [ "$code" = 0 ] ||
        say "py-spy failed (exit code $code); it needs the right to trace: in a container rights: {root: true}, elsewhere kernel.yama.ptrace_scope 0"
      exit "$code"
      """;
}
