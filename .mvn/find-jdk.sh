# Sourced by ./build and ./mayfly: finds a JDK 25, whatever the machine's default `java` is.

# A JDK says its version in its file `release`: reading that is quicker than starting it.
is_jdk_25() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] && grep -q '^JAVA_VERSION="25[."]' "$1/release"
}

# The home of the `java` on PATH, or nothing.
home_on_path() {
  command -v java >/dev/null || return 0
  java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p'
}

# Prints the home of a JDK 25, or fails. JAVA_HOME wins where it is one.
find_jdk_25() {
  local home
  for home in "${JAVA_HOME:-}" "${JAVA_HOME_25_X64:-}" "${JAVA_HOME_25_ARM64:-}" \
    /usr/lib/jvm/*25* /usr/lib64/jvm/*25* /usr/java/*25* /opt/*jdk*25* /opt/java/*25* \
    "${HOME:-/}"/.sdkman/candidates/java/25* "${HOME:-/}"/.jdks/*25* \
    "${HOME:-/}"/.asdf/installs/java/*25* "${HOME:-/}"/.local/share/mise/installs/java/*25* \
    /Library/Java/JavaVirtualMachines/*25*/Contents/Home /opt/homebrew/opt/openjdk@25 \
    /opt/homebrew/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home; do
    if is_jdk_25 "$home"; then
      printf '%s\n' "$home"
      return 0
    fi
  done
  home=$(home_on_path)
  is_jdk_25 "$home" && printf '%s\n' "$home"
}

# Sets JAVA_HOME to a JDK 25, or ends the script with one line that says what to do.
use_jdk_25() {
  if ! JAVA_HOME=$(find_jdk_25); then
    echo "$1: no JDK 25 found. Install one (for example Temurin 25 from https://adoptium.net) or set JAVA_HOME to it, and run $1 again." >&2
    exit 69
  fi
  export JAVA_HOME
}

# Ends the script with one line where there is no Maven.
need_maven() {
  if ! command -v mvn >/dev/null; then
    echo "$1: no Maven found. Install Maven 3.8 or newer (apt install maven, brew install maven), and run $1 again." >&2
    exit 69
  fi
}

# Ends the script with one line where its runtime would not run on Google's machines: it is linked from the JDK at hand,
# and workers and functions are Linux on x86-64.
need_linux_x64() {
  local here
  here=$(uname -sm)
  [ "$here" = "Linux x86_64" ] && return 0
  echo "$1: this machine is $here, and a bundle made here would not run on workers and functions, which are Linux x86_64. Run $1 on such a machine, for example in Cloud Shell or in a container of the platform linux/amd64." >&2
  exit 69
}
