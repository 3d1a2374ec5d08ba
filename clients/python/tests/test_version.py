"""The package's version is that of the Mayfly that it came with."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from context import ROOT

PACKAGE = Path(__file__).resolve().parents[1]


class VersionTest(unittest.TestCase):
    def asked(self, *path):
        """What a program finds where only these folders are installed, and whether it has looked before."""
        code = (
            "import mayfly, sys; early = 'mayfly._version' in sys.modules; import mayfly._version;"
            "sys.path[:] = sys.argv[1:]; print(early, mayfly.__version__)"
        )
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE / "src")}
        command = [sys.executable, "-c", code, *path]
        done = subprocess.run(command, text=True, capture_output=True, env=environment)
        self.assertEqual("", done.stderr)
        return done.stdout.split()

    def test_package_and_build_have_one_version(self):
        package = re.search(r'^version = "(.*)"$', (PACKAGE / "pyproject.toml").read_text(), re.M).group(1)
        build = re.search(r"<version>(.*?)</version>", (Path(ROOT) / "pom.xml").read_text()).group(1)

        self.assertEqual(build, package)

    def test_installed_package_says_its_version(self):
        with tempfile.TemporaryDirectory() as installed:
            said = Path(installed) / "mayfly-7.8.9.dist-info/METADATA"
            said.parent.mkdir()
            said.write_text("Metadata-Version: 2.1\nName: mayfly\nVersion: 7.8.9\n")

            self.assertEqual(["False", "7.8.9"], self.asked(installed))

    def test_folder_of_sources_says_that_it_is_none(self):
        # A copy: what builds the package leaves its metadata beside the sources.
        with tempfile.TemporaryDirectory() as sources:
            shutil.copytree(PACKAGE / "src" / "mayfly", Path(sources) / "mayfly")

            self.assertEqual(["False", "0+unknown"], self.asked(sources))

    def test_nothing_else_is_made_up(self):
        import mayfly

        with self.assertRaisesRegex(AttributeError, "nosuch"):
            mayfly.nosuch  # noqa: B018


if __name__ == "__main__":
    unittest.main()
