# A stand-in of Slurm for one machine: it runs what a batch script asks for, in its order. Sourced, it makes the commands
# known to the scripts that are started after it. JAX reads the variables that srun sets.

sbatch() {
  local parsable= array= wrap= words=() i failed=0 id
  while [ $# -gt 0 ]; do
    case $1 in
      --parsable) parsable=yes ;;
      --array=*) array=${1#--array=} ;;
      --wrap) wrap=$2 && shift ;;
      -*) ;;
      *) words=("$@") && break ;;
    esac
    shift
  done
  id=$(($(cat .slurm-id 2>/dev/null || echo 100) + 1))
  echo $id >.slurm-id
  [ -z "$wrap" ] || words=(-c "$wrap")
  for i in $(seq "${array%-*}" "${array#*-}" 2>/dev/null || echo 0); do
    SLURM_ARRAY_TASK_ID=$i bash "${words[@]}" >>".slurm-$id.log" 2>&1 || { failed=1; echo "${id}_$i" >>.slurm-failed; }
  done
  [ -z "$parsable" ] || echo $id
  [ -n "$parsable" ] || return $failed
}

srun() { # in as many processes as the script has nodes, $SLURM_NNODES
  local rank part=()
  for rank in $(seq 0 $((SLURM_NNODES - 1))); do
    SLURM_JOB_ID=$$ SLURM_NTASKS=$SLURM_NNODES SLURM_PROCID=$rank SLURM_LOCALID=0 SLURM_STEP_NODELIST=127.0.0.1 \
      SLURM_STEP_NUM_TASKS=$SLURM_NNODES SLURM_JOB_NUM_NODES=$SLURM_NNODES "$@" &
    part+=($!)
  done
  for rank in "${part[@]}"; do wait "$rank" || return; done
}

scontrol() { echo 127.0.0.1; }

sacct() { grep "^$2_" .slurm-failed || true; }

export -f sbatch srun scontrol sacct
