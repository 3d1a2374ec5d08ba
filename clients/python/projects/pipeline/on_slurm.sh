#!/bin/bash
mkdir -p clean counts
files=(raw/*.txt)
last=$((${#files[@]} - 1))
clean=$(sbatch --parsable --array=0-$last stage.sh clean raw clean txt)
count=$(sbatch --parsable --array=0-$last --dependency=afterany:"$clean" stage.sh count clean counts json)
sbatch --wait --dependency=afterany:"$count" --mem=64M --wrap 'python stages.py add counts total.json'
cat total.json
sacct --jobs "$clean" --state FAILED --format JobID --noheader
