"""Words of random runs on shipped platforms, for the tests of several folders."""

import subprocess

RUNTIMES = ["starpu", "ideal", "real", "starpu:link_shares=equal", "ideal:link_shares=latency",
            "starpu:order=idle_time", "ideal:order=random",
            "real:window=20", "starpu:eviction_waits=yes"]
LEFT_OUT = {"replay"}  # needs a record


def names(command, what):
    return [name for name in subprocess.run([command, "list", what, "--names"], capture_output=True, text=True,
                                            check=True).stdout.split()
            if name not in LEFT_OUT]


def workload(r):
    blocks = r.choice([4, 8, 16])
    return r.choice([f"cholesky:nt={r.randint(2, 12)}:nb=960", f"lu:nt={r.randint(2, 8)}:nb=960",
                     f"matmul2d:nt={r.randint(2, 8)}",
                     f"stencil:dims=3:precision=b:nx=128:ny=128:nz={128 * blocks}:blocks={blocks}"
                     f":iterations={r.randint(1, 6)}", "forkjoin",
                     f"layered:seed={r.randint(1, 99)}", f"reduction:n={r.randint(2, 40)}:shots=100:bytes=80000",
                     f"qr:nt={r.randint(2, 6)}:nb=960",
                     f"matmul3d:nt={r.randint(2, 6)}:nb=960", f"cholesky_taskset:nt={r.randint(3, 10)}", "sparse:nt=8",
                     "life", f"chain:n={r.randint(1, 60)}:handles={r.choice(['one', 'many'])}:bytes=5MiB",
                     f"star:n={r.randint(1, 200)}", f"grid:n={r.randint(1, 200)}:bytes=3MiB",
                     f"independent:n={r.randint(1, 200)}:duration=100us"])


def draw(r, platforms, policies, evictions):
    words = ["--platform", r.choice(platforms), "--workload", workload(r), "--policy", r.choice(policies), "--runtime",
             r.choice(RUNTIMES),
             "--seed", str(r.randint(1, 99)), "--extrapolate", "--validate"]
    for chance, more in ((0.5, ["--gpu-mem", r.choice(["20MiB", "40MiB", "80MiB", "200MiB"])]),
                         (0.3, ["--eviction", r.choice(evictions)]),
                         (0.2, ["--noise", r.choice(["0.05", "lognormal:0.1"])]),
                         (0.3, ["--gpus", str(r.randint(1, 3))])):
        words += more if r.random() < chance else []
    return words
