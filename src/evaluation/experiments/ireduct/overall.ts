import { allWays } from '../../../release/index.ts'
import { countMarginals } from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import type { Experiment } from '../experiment.ts'
import { errorLines, errorNotes, meanErrors } from './errors.ts'
import { experimentOf } from './figure.ts'
import type { Setting } from './release.ts'

/** §6.1 has 10; of two-way marginals there are so many cells that half as many say the same. */
const runsOf = { 1: 10, 2: 5 }

/** The overall error of all marginals of one or two attributes, where one of the settings varies. */
function overall(
  figure: number,
  ways: 1 | 2,
  fixed: Setting,
  varied: Partial<Record<keyof Setting, number[]>>,
): Experiment {
  const [[name, values]] = Object.entries(varied) as [[keyof Setting, number[]]]
  const words = ways === 1 ? 'one-way' : 'two-way'
  const label = labels[name]
  const runs = runsOf[ways]
  const others = Object.entries(fixed).filter(([key]) => key !== name) as [keyof Setting, number][]
  return experimentOf({
    name: `ireduct-fig${figure}`,
    about: `overall error of all ${words} marginals against ${label} (Fig. ${figure})`,
    x: { label, log: name !== 'firstShare' },
    y: { label: 'overall error', log: true },
    lines: errorLines,
    values,
    quickValues: [values[1]!, values[4]!],
    settings: { marginals: `all ${words}`, runs, ...Object.fromEntries(others.map(([key, v]) => [labels[key], v])) },
    notes: errorNotes,
    reader(table, { quick, seed }) {
      const counted = countMarginals(table, allWays(table.universe, ways))
      const inputs = Array.from({ length: quick ? 1 : runs }, () => counted)
      const bits = seededBits(seed)
      return (value) => meanErrors(inputs, { ...fixed, [name]: value }, bits)
    },
  })
}

const labels: { readonly [K in keyof Setting]: string } = { epsilon: 'ε', floorShare: 'δ/n', firstShare: 'ε₁/ε' }

/** §6.2 to §6.4: the values that the text names. It does not say where its figures have their points. */
const one: Setting = { epsilon: 0.01, floorShare: 1e-4, firstShare: 0.07 }
const two: Setting = { epsilon: 0.1, floorShare: 1e-4, firstShare: 0.025 }
const floorShare = [1e-5, 3e-5, 1e-4, 3e-4, 1e-3]

export const overallErrors: readonly Experiment[] = [
  overall(5, 1, one, { firstShare: [0.02, 0.04, 0.06, 0.07, 0.08, 0.1, 0.15, 0.2, 0.3] }),
  overall(6, 1, one, { epsilon: [0.002, 0.004, 0.006, 0.008, 0.01] }),
  overall(7, 1, one, { floorShare }),
  overall(8, 2, two, { epsilon: [0.02, 0.04, 0.06, 0.08, 0.1, 1] }),
  overall(9, 2, two, { floorShare }),
]
