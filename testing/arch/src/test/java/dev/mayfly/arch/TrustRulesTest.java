package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/**
 * What other people may have prepared is used by one way only: files of tasks, programs that a
 * folder brings. Whoever uses another way says here why nobody can have prepared anything.
 */
class TrustRulesTest {
  private static final Set<String> OPENING =
      Set.of(
          "newInputStream",
          "newOutputStream",
          "newByteChannel",
          "newBufferedReader",
          "newBufferedWriter",
          "readAllBytes",
          "readString",
          "readAllLines",
          "lines",
          "write",
          "writeString",
          "copy",
          "mismatch",
          // The JDK opens the file for this.
          "setLastModifiedTime");

  private static final Set<Class<?>> OPENERS =
      Set.of(
          FileInputStream.class,
          FileOutputStream.class,
          FileReader.class,
          FileWriter.class,
          RandomAccessFile.class,
          ZipFile.class);

  private static final String KERNEL = "files of the kernel, and groups of processes";
  private static final String AGENT = "files in a folder that only the agent may enter";
  private static final String MACHINE = "files of the machine's image and of its mounts";
  private static final String UNTIL_HANDED_OVER = "makes what no task reaches before it is whole";
  private static final String OUTPUT = "the output of a program, in a file of the agent's own";

  /** Simple names of classes of the agent, and what they open. */
  private static final Map<String, String> OPENED_BY_THE_AGENT =
      Map.ofEntries(
          Map.entry("AgentStartup", MACHINE),
          Map.entry("AttemptUse", KERNEL),
          Map.entry("CgroupLimits", KERNEL),
          Map.entry("CheckpointDownload", UNTIL_HANDED_OVER),
          Map.entry("CodeStore", AGENT),
          Map.entry("FailedStarts", AGENT),
          Map.entry("FileTrees", "copies code from the agent's own folder, links as links"),
          Map.entry("FirstProcess", KERNEL),
          Map.entry("GatherDownload", UNTIL_HANDED_OVER),
          Map.entry("GcsfuseRepository", MACHINE),
          Map.entry("GpuDriver", OUTPUT),
          Map.entry("HeldDevices", KERNEL),
          Map.entry("InputStaging", UNTIL_HANDED_OVER),
          Map.entry("LogFile", "makes a log anew and holds it open from then on"),
          Map.entry("MachineHardware", KERNEL),
          Map.entry("MachineProcesses", KERNEL),
          Map.entry("MachineUseWatch", KERNEL),
          Map.entry("MountStep", KERNEL),
          Map.entry("MountUseWatch", KERNEL),
          Map.entry("MpsStep", MACHINE),
          Map.entry("MarkedPipe", AGENT),
          Map.entry("NewFile", "the way to write"),
          Map.entry("NoLimits", KERNEL),
          Map.entry("OomScore", KERNEL),
          Map.entry("OpenFolder", "the way to read"),
          Map.entry("OrphanReaper", KERNEL),
          Map.entry("ProcessLimit", KERNEL),
          Map.entry("ProcessTable", KERNEL),
          Map.entry("ProgramRunner", OUTPUT),
          Map.entry("PullLogin", AGENT),
          Map.entry("SeedLock", "makes a file that nothing else may have been, or fails"),
          Map.entry("SetupArchive", "makes a file that nothing else may have been, or fails"),
          Map.entry("SshGang", UNTIL_HANDED_OVER),
          Map.entry("StartRecord", AGENT),
          Map.entry("TaskGuard", AGENT),
          Map.entry("TaskUser", MACHINE),
          Map.entry("WorkDir", AGENT),
          Map.entry("ZipUnpacker", AGENT));

  /** Simple names of classes of the command line, and what they run. */
  private static final Map<String, String> PROGRAMS_OF_THE_COMMAND_LINE =
      Map.of(
          "Browser", "xdg-open, wslview or open of the path, with the page's own address",
          "GitCheckout",
              "git, in a repository of our own without hooks, templates and foreign settings",
          "GcloudTokenSource", "gcloud, for a token",
          "LocalCloudLauncher", "the laptop cloud of this checkout or bundle",
          "LocalProgram", "gcloud, tar and container engines, each with a list of arguments",
          "Main", "stty, for the terminal's width",
          "ScratchRepository", "git, which reads no configuration of the folder",
          "StaticWorkerAgent", "the agent of this checkout or bundle",
          "Terminal", "stty, for the terminal's modes");

  @Test
  void wrongChecksumStopsTheBuild() throws IOException {
    assertThat(Files.readAllLines(Sources.ROOT.resolve(".mvn/maven.config")))
        .contains("--strict-checksums");
  }

  @Test
  void programsRunWithoutWhatAFolderNames() {
    assertSame(
        classes("dev.mayfly.cli", TrustRulesTest::startsProgram),
        PROGRAMS_OF_THE_COMMAND_LINE,
        "a folder that is packed or read may be foreign: say which program runs, and why none that"
            + " the folder names");
  }

  private static boolean startsProgram(JavaAccess<?> access) {
    var owner = access.getTargetOwner();
    var name = access.getTarget().getName();
    return (owner.isEquivalentTo(ProcessBuilder.class) && name.equals("<init>"))
        || (owner.isEquivalentTo(Runtime.class) && name.equals("exec"));
  }

  @Test
  void filesOfTasksAreOpenedWithoutLinksAndWaiting() {
    assertSame(
        classes("dev.mayfly.agent", TrustRulesTest::opensFile),
        OPENED_BY_THE_AGENT,
        "a task may put a link or a pipe in the place of any of its files: use OpenFolder to read"
            + " and NewFile to write, or say why no task can");
  }

  private static void assertSame(Set<String> found, Map<String, String> known, String why) {
    assertThat(found).as(why).isEqualTo(new TreeMap<>(known).keySet());
  }

  private static Set<String> classes(String below, Predicate<JavaAccess<?>> access) {
    return ProductionClasses.CLASSES.stream()
        .filter(type -> type.getPackageName().startsWith(below))
        .filter(type -> type.getAccessesFromSelf().stream().anyMatch(access))
        .map(TrustRulesTest::outermost)
        .collect(Collectors.toCollection(java.util.TreeSet::new));
  }

  private static String outermost(JavaClass type) {
    return type.getEnclosingClass().map(TrustRulesTest::outermost).orElse(type.getSimpleName());
  }

  private static boolean opensFile(JavaAccess<?> access) {
    var owner = access.getTargetOwner();
    var name = access.getTarget().getName();
    if (owner.isEquivalentTo(Files.class)) return OPENING.contains(name);
    if (owner.isEquivalentTo(FileChannel.class)) return name.equals("open");
    if (owner.isEquivalentTo(FileSystems.class)) return name.equals("newFileSystem");
    return name.equals("<init>") && OPENERS.stream().anyMatch(owner::isEquivalentTo);
  }
}
