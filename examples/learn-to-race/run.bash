#!/usr/bin/env bash
# ./run.bash -b random [-s SEED] [-c CONFIG] [-t TOGETHER] [-r ROUNDS]: what the pods ran; the machine's Python is enough.
set -euo pipefail
baseline=random seed=0 config=config.json together=0 rounds=8
while getopts b:s:c:t:r: flag; do
  case $flag in
    b) baseline=$OPTARG ;;
    s) seed=$OPTARG ;;
    c) config=$OPTARG ;;
    t) together=$OPTARG ;;
    r) rounds=$OPTARG ;;
    *) exit 64 ;;
  esac
done
python3 race.py --agent "$baseline" --seed "$seed" --config "$config" --together "$together" --rounds "$rounds"
