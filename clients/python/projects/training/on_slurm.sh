#!/bin/bash
#SBATCH --job-name=train
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --requeue
#SBATCH --output=train.log
export CHECKPOINT=$PWD/checkpoint
mkdir -p "$CHECKPOINT"
srun python -c 'from train import train; print(train(100))'
