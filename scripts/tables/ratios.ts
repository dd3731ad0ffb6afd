import { type PageTable, percent, three } from './page-table.ts'
import { ratioCases, ratioDraws } from './ratio-draws.ts'
import { withinCases, withinDraws } from './within-draws.ts'

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

const withinNames = [
  'average of 1,000 in the middle of its domain, Laplace noise',
  "at the domain's end",
  "of 30, W a third of the domain's half",
  'of 20, W a ninetieth: noise of about a step',
  'of 1,000 at the end, Gaussian noise',
]
const widths: PageTable = {
  page,
  header: ['', 'covered', 'as narrow as asked', 'median half-width, of what was asked'],
  make: () =>
    Promise.all(
      withinCases.map(async (one, i) => {
        const { covered, narrow, median } = await withinDraws(one)
        const shown = narrow === 1 ? '100%' : percent(narrow, 2)
        return [withinNames[i]!, percent(covered), shown, percent(median / one.within, 0)]
      }),
    ),
}

export const ratioTables: readonly PageTable[] = [intervals, widths]
