"""One process of `test_processes_however_uneven`: its share of the cases, and what all of them
give.
"""

from __future__ import annotations

import os
import sys
import warnings

import torch

import precall.torch as pt


def main() -> None:
    warnings.simplefilter("ignore")
    torch.distributed.init_process_group("gloo")
    rank = int(os.environ["RANK"])
    ranks, counts = pt.AveragePrecision(), pt.CountsMeasure("F1")
    if rank != 1:
        made = torch.Generator().manual_seed(rank)
        size = 100 + 50 * rank
        score = torch.randn(size, generator=made).round(decimals=1)
        score = (
            score.double()
            if sys.argv[1] == "float64" or (rank and sys.argv[1] == "mixed")
            else score
        )
        label = (torch.rand(size, generator=made) < 0.3).int()
        for part in torch.arange(size).split(40):
            ranks.update(score[part], label[part])
            counts.update(score[part], label[part])
    sys.stdout.write(f"{ranks.compute().item()!r} {counts.compute().item()!r}\n")
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
