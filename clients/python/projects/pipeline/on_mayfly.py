import mayfly
from stages import add_objects, clean, count

lab = mayfly.Cluster("lab")
cleaned = lab.map_files(clean, "gs://lab-us-central1/raw/*.txt", output="gs://lab-us-central1/clean/{stem}.txt",
                        cpu=0.25, memory="64Mi", retries={"failures": 1})
counted = lab.map_files(count, "gs://lab-us-central1/clean/*.txt", output="gs://lab-us-central1/counts/{stem}.json",
                        cpu=0.25, memory="64Mi", after={"job": cleaned, "on": "end"})
total = lab.call(add_objects, "gs://lab-us-central1/counts/", after=counted, metadata=True)
print(total.result())
print([task["input"] for task in cleaned.tasks("failed")])
