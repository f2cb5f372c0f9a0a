/* How the site's search weighs what it finds: pages that say how come before those that say what was decided. */
const WEIGHT = [
  [/^(start|how-to)\//, 2],
  [/^(coming-from|reference|measures)\//, 1.3],
  [/^decisions\//, 0.2],
  [/^develop\/changelog/, 0.1],
  [/^develop\//, 0.6],
];

var Scorer = {
  score: (result) => {
    const [page, , , , score] = result;
    const [, weight] = WEIGHT.find(([pattern]) => pattern.test(page)) || [null, 1];
    return score * weight;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
