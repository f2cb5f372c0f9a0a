"""P(value >= x) where labels are permuted over blocks of items, by weighted simulation of the hits
per block.

Nothing here comes from precall. The value is a function of the hits q_1, q_2, ... in the blocks:

* "expected": AP, mean over orders inside blocks: q hits in a block of g after r items and H hits
  add to m AP q (H+1) A/g + q (q-1) (g - (r+1) A) / (g (g-1)), A = 1/(r+1) + ... + 1/(r+g);
* "block": whole blocks: q (H+q) / (r+g);
* "untied": AP of single items; blocks only group them. "expected" is its mean given the hits per
  block; what the order inside adds is normal with the variance to first order. For blocks that are
  small beside their rank;
* "area": pairs of a hit and another item below, and half of those in the block, over m (n-m).

Counts are drawn block by block from a binomial law whose odds are tilted towards the blocks that
raise the value most, and weighted by the ratio of the probabilities, in which all factorials but
the last cancel.
"""

from __future__ import annotations

import numpy as np

from tests.peers import peer

special = peer("scipy.special")


class Weighted:
    """Simulations of one value in these blocks."""

    def __init__(self, blocks, relevant, kind):
        self.g, self.m, self.kind = np.asarray(blocks, np.float64), relevant, kind
        g = self.g
        self.n = g.sum()
        self.end = np.cumsum(g)
        self.r = self.end - g
        self.scale = relevant * (self.n - relevant) if kind == "area" else relevant
        # Differences of digammas lose digits where blocks are small beside their rank.
        few = np.array(
            [
                np.sum(1 / np.arange(a + 1, min(b, a + 64) + 1))
                for a, b in zip(self.r, self.end, strict=True)
            ]
        )
        self.sums = np.where(
            g <= 64, few, special.digamma(self.end + 1) - special.digamma(self.r + 1)
        )
        self.pairs = (g - (self.r + 1) * self.sums) / np.maximum(g * (g - 1), 1) * (g > 1)

    def adds(self, j, q, h):
        """What q hits in block j add after h hits."""
        if self.kind == "area":
            return q * (self.n - self.end[j] + self.g[j] / 2) - q * (self.m - h - q / 2)
        if self.kind == "block":
            return q * (h + q) / self.end[j]
        return q * (h + 1) * self.sums[j] / self.g[j] + q * (q - 1) * self.pairs[j]

    def inside(self, j, q, h):
        """Standard deviation of what the order inside block j adds."""
        g, middle = self.g[j], self.r[j] + self.g[j] / 2
        return (h + q / 2) * g / middle**2 * np.sqrt(np.maximum(q * (1 - q / g), 0) / 12) * (g > 1)

    def slopes(self, q):
        """By how much one more hit in each block raises the value."""
        h = np.cumsum(q) - q
        if self.kind == "area":
            return self.n - self.end + self.g / 2
        one = 1 / self.end if self.kind == "block" else self.sums / self.g
        two = 1 / self.end if self.kind == "block" else self.pairs
        later = q * one
        return one * (h + 1) + 2 * q * two + later.sum() - np.cumsum(later)

    def tilted(self, tilt):
        """Logits of the odds per block: `tilt` standard deviations, to first order."""
        share = np.full(len(self.g), self.m / self.n)
        for _ in range(12):
            slope = self.slopes(self.g * share)
            width = self.g * share * (1 - share)
            slope = slope - (width * slope).sum() / width.sum()
            theta = tilt * slope / np.sqrt(np.maximum((width * slope**2).sum(), 1e-30))
            low, high = -60.0, 60.0
            for _ in range(60):
                level = (low + high) / 2
                low, high = (
                    (level, high)
                    if (self.g * special.expit(level + theta)).sum() < self.m
                    else (low, level)
                )
            share = special.expit(level + theta)
        return level + theta

    def draw(self, logits, size, rng):
        """Values and logarithms of their weights."""
        left, items = np.full(size, float(self.m)), self.n
        value, log = np.zeros(size), np.zeros(size)
        expected = np.cumsum((self.g * special.expit(logits))[::-1])[::-1]
        for j, g in enumerate(self.g):
            if j < len(self.g) - 1:
                # The odds that make the rest of the hits fit into the rest of the blocks.
                mean = np.clip(expected[j], 1e-9 * items, (1 - 1e-9) * items)
                with np.errstate(divide="ignore"):
                    more = np.log(left / mean) - np.log((items - left) / (items - mean))
                p = special.expit(logits[j] + more)
                q = rng.binomial(int(g), p).astype(np.float64)
                log -= special.xlogy(q, p) + special.xlog1py(g - q, -p)
            else:
                q = left
                log += (
                    special.gammaln(g + 1)
                    - special.gammaln(q + 1)
                    - special.gammaln(np.maximum(g - q, 0) + 1)
                )
            # More than there are: it cannot be.
            items -= g
            wrong = (q > left) | (left - q > items)
            log[wrong] = -np.inf
            q = np.clip(q, np.maximum(left - items, 0), left)
            before = self.m - left
            value += self.adds(j, q, before)
            if self.kind == "untied":
                value += self.inside(j, q, before) * rng.standard_normal(size)
            left = left - q
        n, m = self.n, self.m
        return value, log - special.gammaln(n + 1) + special.gammaln(m + 1) + special.gammaln(
            n - m + 1
        )

    def tail(self, x, size, seed):
        """P(value >= x), its standard error, and the share of drawn values that are there."""
        rng = np.random.default_rng(seed)
        goal = x * self.scale * (1 - 1e-12)
        low, high = -2.0, 12.0
        for _ in range(9):
            tilt = (low + high) / 2
            value, _ = self.draw(self.tilted(tilt), 400, rng)
            low, high = (tilt, high) if np.median(value) < goal else (low, tilt)
        logits, parts, reached = self.tilted(tilt), [], 0
        for start in range(0, size, 20_000):
            value, log = self.draw(logits, min(20_000, size - start), rng)
            reached += int((value >= goal).sum())
            parts.append(np.where(value >= goal, np.exp(log), 0.0))
        part = np.concatenate(parts)
        return part.mean(), part.std(ddof=1) / size**0.5, reached / size


def grouped(items, singles=300, share=0.02):
    """Sizes of blocks for "untied": single ranks first, then blocks of a share of their rank."""
    sizes, rank = [1] * min(singles, items), min(singles, items)
    while rank < items:
        sizes.append(min(max(int(share * rank), 1), items - rank))
        rank += sizes[-1]
    return np.array(sizes)
