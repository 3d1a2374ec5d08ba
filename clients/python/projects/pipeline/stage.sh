#!/bin/bash
#SBATCH --cpus-per-task=1
#SBATCH --mem=64M
files=(raw/*.txt)
name=$(basename "${files[$SLURM_ARRAY_TASK_ID]}" .txt)
[ -e "$2/$name.txt" ] && python stages.py "$1" "$2/$name.txt" "$3/$name.$4"
