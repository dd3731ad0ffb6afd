import { type PageTable, percent, three } from './page-table.ts'
import { gaussianInflation, laplaceInflation } from './ratio-doubt.ts'
import { ratioCases, ratioDraws } from './ratio-draws.ts'

const page = 'docs/algorithms/ratios.md'

const intervalNames = [
  'an average of 300, Laplace noise (sum 500, count 10)',
  'the same of 40',
  "of 100, at the domain's end",
  'of 30, noise of 3 steps and 1 step',
  'of 300, Gaussian noise (700, 14)',
  'a ratio without bounds, 900/300, noise 60 and 20',
]
const intervals: PageTable = {
  page,
  header: ['', 'covered', 'width', 'from two intervals'],
  make: async () =>
    ratioCases.map((one, i) => {
      const { covered, width } = ratioDraws(one, 0.95)
      return [intervalNames[i]!, percent(covered), three(width), three(ratioDraws(one, 0.95, false).width)]
    }),
}

const inflated: PageTable = {
  page,
  header: ['doubt of the interval', 'Laplace noise', 'Gaussian noise'],
  make: async () =>
    [0.1, 0.035, 0.01].map((doubt) => [
      percent(doubt),
      laplaceInflation(doubt).toFixed(2),
      gaussianInflation(doubt).toFixed(2),
    ]),
}

export const ratioTables: readonly PageTable[] = [intervals, inflated]
