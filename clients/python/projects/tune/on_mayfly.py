import mayfly
from search import search

lab = mayfly.Cluster("lab")
print(lab.call(search, gang={"hosts": 3, "mode": "ray"}, cpu=1, memory="2Gi").result())
