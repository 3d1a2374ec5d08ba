#!/bin/bash
#SBATCH --nodes=3
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun ray symmetric-run --address "$head:6379" --min-nodes "$SLURM_NNODES" -- python search.py
