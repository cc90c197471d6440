"""The experiments by name: each changes one thing, for statements that do not hold."""

from lib import hipc2016, jpdc2024, peerj2019
from lib.cluster import Cluster
from lib.experiments import Experiment
from lib.variant import Variant

# Measured on the same cards, on tiles of 2880 in double precision (platforms/gemini/kernels.csv): trsm takes 0.86 times
# as long as gemm, where its flops are half.
MEASURED_TRSM = Variant("v100x4", "v100x4-measured-trsm", kernels=[
    f"{kernel},v100,1,2880,s,{0.863 * 3412.55:.2f},0,0,0.863 times gemm,measured: StarPU's models of gemini"
    for kernel in ("trsm", "trsm_l", "trsm_u")])
# 15 GFlop/s are 94 % of what a core of the Xeon E5-2620 can reach in double precision: 2.0 GHz, 8 flops a cycle.
DOUBLE = Variant("cpu-outofcore", "cpu-outofcore-double", kernels=[
    "gemm,cpu,1,2880,d,3.18505e+06,0,0,from the rate of 15 GFlop/s,paper: table 1"])
EQUAL_SLOTS = Variant("hannibal2011", "hannibal-equal-slots",
                      (r'(<link id="pcie2-down" bandwidth=)"3150MBps"', r'\1"5989MBps"'))
FAST_BUS = Variant("mordor", "mordor-fast-bus", (r'(<link id="host" bandwidth=)"2GBps"', r'\1"20GBps"'))
SLOWEST = Variant("k40-hipc", "k40-hipc-slowest-cores", cpu_times=1.3)
ALL_WAYS = {"cpu_groups": hipc2016.groups(1)}
SLOW_BUS = Variant("k40-hipc", "k40-hipc-slow-bus", (r'"10.5GBps"', '"2.6GBps"'), cpu_times=1.15)
LWS = ["for small matrices", "where the data fits"]
COMPOSED = "compose:front=prio:window=32:back=dmda"  # as in thesis-fig3.21
ONE_SHARED = "one=cpu0-3/gpu0:dmda+two=cpu4-8/gpu0-2:dmda"  # as in thesis-fig3.20
LESS_BEHIND = "the others are farther behind DARTS"

EXPERIMENTS = {
    "jpdc10-less": Experiment(
        "jpdc2024-fig10", ["on the A100"], "matrices that exceed the memory of the A100 by a tenth",
        options={"nt": "17,48"}),
    "jpdc11-lws": Experiment(
        ["jpdc2024-fig11", "jpdc2024-fig12"], LWS, "lws: both directions of an NVLink at once, five tasks on a GPU",
        runtime="conflicts=channel:gpu_pipeline=5", only=["lws"]),
    "jpdc11-all": Experiment(
        ["jpdc2024-fig11", "jpdc2024-fig12"], LWS, "all: both directions of an NVLink at once, five tasks on a GPU",
        runtime="conflicts=channel:gpu_pipeline=5"),
    "jpdc13-noise": Experiment(
        "jpdc2024-fig13", ["the two GPUs share"], "kernels vary by 2 %", options={"noise": "0.02"}),
    "jpdc14-16GB": Experiment(
        "jpdc2024-fig14", ["14b", "EAGER", "DARTS reaches", LESS_BEHIND], "16 GB a GPU instead of 32",
        options={"gpu_mem": "14400MB"}),
    "jpdc14-trsm": Experiment(
        "jpdc2024-fig14", ["EAGER", "14b", "where the matrix fits", LESS_BEHIND], "trsm at a measured rate",
        options={"platform": MEASURED_TRSM}),
    "jpdc14-dmdas": Experiment(
        "jpdc2024-fig14", [LESS_BEHIND, "14a"], "dmdas: prefetches do not evict", runtime="prefetch_evicts=no",
        only=["dmdas"], beside=True),
    "jpdc15-dmdas": Experiment(
        "jpdc2024-fig15", ["where the matrix is much larger", LESS_BEHIND], "dmdas: prefetches do not evict",
        runtime="prefetch_evicts=no", only=["dmdas"], beside=True),
    "jpdc6-dmdas": Experiment(
        "jpdc2024-fig6", ["DMDAS"], "dmdas: prefetches do not evict", runtime="prefetch_evicts=no", only=["dmdas"]),
    "jpdc16-double": Experiment(
        "jpdc2024-fig16", ["16b", "for larger matrices"], "double precision",
        options={"platform": DOUBLE, "workload": jpdc2024.workload(jpdc2024.LU) + ":precision=d"}),
    "hipc5-all": Experiment(
        ["hipc2016-fig3", "hipc2016-fig5"],
        ["the HeteroPrio variants", "heft needs", "Area and Het.Index", "HeteroPrio is"],
        "all 530 ways to group the cores", options=ALL_WAYS),
    "hipc4-merge": Experiment(
        "hipc2016-fig4", ["as for Cholesky, the"], "each type of tasks has a queue of its own",
        policies={policy: policy + ":merge=0" for policy in (hipc2016.INDEX, hipc2016.AREA)}),
    "hipc6-slower": Experiment(
        "hipc2016-fig6", ["GPUs are"], "tasks on cores take 30 % longer than the schedule believes",
        options={"platform": SLOWEST}),
    "hipc8-dmdas": Experiment(
        "hipc2016-fig8", ["12", "24", "32", "large"], "HEFT is StarPU's dmdas", policies={"dm": "dmdas"}),
    "hipc8-as-measured": Experiment(
        "hipc2016-fig8", ["12", "24", "32", "large"], "tasks on cores take as long as measured",
        options={"platform": "k40-hipc"}),
    "peerj5-panels": Experiment(
        "peerj2019-fig5", ["QrMumps is fastest"], "panels on processors: one kind of tasks on GPUs",
        options={"workload": peerj2019.QRMUMPS + ":gpu=update"}),
    "peerj5-streams": Experiment(
        "peerj2019-fig5", ["StarPU-Stencil: the mean"], "a GPU holds 12 tasks: 3 workers, 4 each",
        runtime="gpu_pipeline=12"),
    "peerj6-streams": Experiment(
        "peerj2019-fig6", ["LaRU", "LS_SDH is", "LAHetero", "the BMD"], "a GPU holds 28 tasks: 7 workers, 4 each",
        runtime="gpu_pipeline=28"),
    "peerj7-streams": Experiment(
        "peerj2019-fig7", ["LaRU", "MC", "LAHetero"], "a GPU holds 44 tasks: 11 workers, 4 each",
        runtime="gpu_pipeline=44"),
    "peerj8-streams": Experiment(
        "peerj2019-fig8", ["LaRU", "LS_SDH2", "transfers", "BMD", "the automatic"],
        "a GPU holds 12 tasks: 3 workers, 4 each", runtime="gpu_pipeline=12"),
    "acaces8-costs": Experiment(
        "acaces2021-fig8", ["Belady"], "each handle that belady looks at takes 1 us", runtime="scan_cost=1us"),
    "acaces9-written": Experiment(
        "acaces2021-fig9", ["HFP"], "a task writes a tile of C of its own, which is then discarded",
        options={"workload": "matmul3d:nb=960:output=fresh:discard=all"}),
    "acaces10-pipeline": Experiment(
        "acaces2021-fig10", ["HFP"], "a GPU holds five tasks, as in the authors' scripts", runtime="gpu_pipeline=5"),
    "jpdc9-count": Experiment(
        "jpdc2024-fig9", ["triangles"], "DARTS takes the handle that frees the most tasks, as its first version",
        policies={"darts": "darts:choice=count"}),
    "jpdc9-noise": Experiment(
        "jpdc2024-fig9", ["triangles"], "kernels vary by 2 %", options={"noise": "0.02"}),
    "hipc6-bus": Experiment(
        "hipc2016-fig6", ["GPUs are"], "a quarter of the bandwidth to GPUs", options={"platform": SLOW_BUS}),
    "hipc7-32": Experiment(
        "hipc2016-fig7", ["GPUs and cores"], "32 x 32 tiles", options={
            "workload": hipc2016.cholesky(32), "cpu_groups": hipc2016.BEST[32][0],
            "policy": hipc2016.heteroprio_schedule(32, hipc2016.BEST[32][0], hipc2016.SLOWER)}),
    "peerj6-panels": Experiment(
        "peerj2019-fig6", ["LaRU", "LS_SDH is", "LAHetero", "the BMD"],
        "panels on processors: one kind of tasks on GPUs",
        options={"workload": peerj2019.QRMUMPS + ":gpu=update"}),
    "peerj6-factors": Experiment(
        "peerj2019-fig6", ["LaRU", "LS_SDH is", "LAHetero", "the BMD"], "no speedup factors", policies={
            policy: policy + peerj2019.NO_FACTORS for policy in peerj2019.policies(peerj2019.QRMUMPS)}),
    "peerj7-factors": Experiment(
        "peerj2019-fig7", ["LaRU", "LAHetero"], "no speedup factors", policies={
            policy: policy + peerj2019.NO_FACTORS for policy in peerj2019.policies(peerj2019.SPLDLT)}),
    "peerj8-halos": Experiment(
        "peerj2019-fig8", ["LaRU", "LS_SDH2 is", "transfers", "the BMD"],
        "tasks of their own that save halos, as in StarPU's example",
        options={"workload": "stencil:precision=b"}),
    "acaces10-ready": Experiment(
        "acaces2021-fig10", ["HFP"], "HFP without its ready strategy", policies={"hfp": "hfp:ready=no"}),
    "acaces9-pipeline": Experiment(
        "acaces2021-fig9", ["HFP"], "a GPU holds five tasks, as in the authors' scripts", runtime="gpu_pipeline=5"),
    "thesis3.8-pipeline": Experiment(
        "thesis-fig3.8", ["priorities"], "a GPU fetches the data of the next task meanwhile", runtime="gpu_pipeline=2"),
    "thesis3.20-gpus": Experiment(
        "thesis-fig3.20", ["a GPU that"], "the first domain has all GPUs, too",
        policies={ONE_SHARED: ONE_SHARED.replace("cpu0-3/gpu0", "cpu0-3/gpu0-2")}),
    "thesis3.21-window": Experiment(
        "thesis-fig3.21", ["a policy in front"], "a window of 128 tasks",
        policies={COMPOSED: COMPOSED.replace("window=32", "window=128")}, options={"belief_error": 0}),
    "thesis3.21-arrival": Experiment(
        "thesis-fig3.21", ["a policy in front"], "HEFT behind the same window, in the order of arrival",
        policies={"dmda": COMPOSED.replace("front=prio", "front=eager")}, options={"belief_error": 0}),
    "thesis7.3-pipeline": Experiment(
        "thesis-fig7.3", ["copies"], "a GPU fetches the data of the next task meanwhile", runtime="gpu_pipeline=2"),
    "thesis7.5-pipeline": Experiment(
        "thesis-fig7.5", ["on MORDOR"], "a GPU fetches the data of the next task meanwhile", runtime="gpu_pipeline=2"),
    "thesis7.9-pipeline": Experiment(
        "thesis-fig7.9", ["7.9b"], "a GPU fetches the data of the next task meanwhile", runtime="gpu_pipeline=2"),
    "thesis6.5-transfers": Experiment(
        "thesis-fig6.5", ["the speed is already"], "without transfers", options={"communication": "off"}),
    "thesis7.4-pipeline": Experiment(
        "thesis-fig7.4", ["greedy reaches", "heft-tm is", "data locality", "on MORDOR, heft-tmdp is"],
        "GPUs fetch the data of the next task meanwhile", runtime="gpu_pipeline=2"),
    "thesis7.8-pinned": Experiment(
        "thesis-fig7.8", ["the speedup", "the network"], "buffers of received tiles are pinned in no time",
        runtime="receive_chunk_cost=0"),
    "thesis7.8-pipeline": Experiment(
        "thesis-fig7.8", ["the speedup", "the network"], "a GPU fetches the data of the next task meanwhile",
        runtime="gpu_pipeline=2"),
    "thesis7.8-priorities": Experiment(
        "thesis-fig7.8", ["the speedup", "the network"], "priorities of the critical path",
        policies={"dmda": "dmdap"}),
    "thesis7.10-bus": Experiment(
        "thesis-fig7.10", ["that is due"], "a bus to the GPUs ten times as fast",
        options={"platform": lambda cluster: Cluster(FAST_BUS, cluster.count, cluster.bandwidth)}),
    "thesis7.9-slots": Experiment(
        "thesis-fig7.9", ["7.9b: heft"], "the third GPU is on a 16x slot", options={"platform": EQUAL_SLOTS}),
}
