import mayfly
from versions import version

lab = mayfly.Cluster("lab")
old, new = (lab.map(version, range(30), requirements=[f"packaging=={v}"], memory="64Mi") for v in ("24.1", "25.0"))
print({found for _, found in old.results()}, {found for _, found in new.results()})
