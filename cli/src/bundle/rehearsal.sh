# Sourced by ./mayfly and cli/bundle: keeps the loaded classes of commands in caches, which is most of what makes them
# quick. Commands that only read have a smaller one: every class of a cache costs a little of each start.

bundle_sources=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# What commands are run with: the same for the cache and for its use. Native accessors are quicker for what a command
# reads and writes once, and slower for a server, which does it a thousand times.
command_jvm=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED
  --sun-misc-unsafe-memory-access=allow -Djdk.reflect.useNativeAccessorOnly=true)

# rehearse_commands FOLDER JAVA CLASS-PATH: writes FOLDER/reading.aot and FOLDER/working.aot, by one command of each
# kind against answers that are always the same. The class path has to be written as it is later.
rehearse_commands() {
  local kind scratch
  scratch=$(mktemp -d)
  cp -r "$bundle_sources/project" "$scratch/project"
  for kind in reading working; do
    rm -f "$1/$kind.aot"
    (
      cd "$scratch/project"
      unset "${!MAYFLY_@}"
      "$JAVA_HOME/bin/java" "$bundle_sources/StubControlPlane.java" "$bundle_sources/answers" "$scratch/home" \
        "$2" "${command_jvm[@]}" -XX:AOTCacheOutput="$1/$kind.aot" \
        -cp "$3" dev.mayfly.cli.AotTrainingMain "$bundle_sources/commands/$kind"
    ) || true   # without a cache, commands start slower
  done
  rm -rf "$scratch"
}

# newer_classes FOLDER: classes in the format of Java 5 are kept out of every cache.
newer_classes() {
  local jar
  for jar in "$1"/picocli-*.jar; do "$JAVA_HOME/bin/java" -cp "$jar" "$bundle_sources/NewerClasses.java" "$jar"; done
}
