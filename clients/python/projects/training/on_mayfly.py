import sys

import mayfly
from train import train

lab = mayfly.Cluster("lab")
gang = {"hosts": int(sys.argv[1]), "mode": "jax"}
print(lab.call(train, 100, gang=gang, name=sys.argv[2], memory="1Gi",
               checkpoint="gs://lab-us-central1/checkpoints/{name}/").result())
