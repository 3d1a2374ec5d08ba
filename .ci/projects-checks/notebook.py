"""Runs the cells of a notebook in a kernel of Jupyter's, and prints what they print to standard output. The file stays as it is."""

import sys

import nbclient
import nbformat

notebook = nbformat.read(sys.argv[1], as_version=4)
nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
for cell in notebook.cells:
    for output in cell.outputs:
        if output.output_type == "stream" and output.name == "stdout":
            print(output.text, end="")
