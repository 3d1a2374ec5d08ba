package dev.mayfly.agent.os;

final class SpawnLauncherTest extends LauncherContract {
  private static final Launcher LAUNCHER = SpawnLauncher.load().orElseThrow();

  @Override
  protected Launcher launcher() {
    return LAUNCHER;
  }
}
