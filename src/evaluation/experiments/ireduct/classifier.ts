import { mean } from '../../../numeric/index.ts'
import {
  accuracy,
  type CodedTable,
  type Counted,
  countMarginals,
  folds,
  trainNaiveBayes,
  withoutPart,
} from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import type { Experiment } from '../experiment.ts'
import { errorLines, errorNotes, meanErrors } from './errors.ts'
import { experimentOf } from './figure.ts'
import { names, type Released, releaseAll, type Setting } from './release.ts'

/** §6.5. */
const target = 'education'
const parts = 10
const settingAt = (epsilon: number): Setting => ({ epsilon, floorShare: 1e-4, firstShare: 0.03 })

/** One part to be told, the rest to learn from. */
interface Trial {
  readonly training: Counted
  readonly validation: CodedTable
}

const otherAttributes = ({ universe }: CodedTable): string[] =>
  universe.attributes.map(({ name }) => name).filter((name) => name !== target)

/** Ten parts are left out in turn; of the rest the marginal of the class, and those of the class and one attribute. */
function trialsOf(table: CodedTable, seed: number): Trial[] {
  const marginals = [[target], ...otherAttributes(table).map((name) => [target, name])]
  const pieces = folds(table, parts, seededBits(seed).uniform)
  const counted = pieces.map((piece) => countMarginals(piece, marginals))
  const counts = counted.map((part) => part.counts)
  return pieces.map((validation, left) => ({
    validation,
    training: { ...counted[left]!, records: table.rows - validation.rows, counts: withoutPart(counts, left) },
  }))
}

/** The share of the part left out whose class a classifier from these marginals tells. */
function told({ validation }: Trial, [classes, ...joint]: Released): number {
  const column = (name: string) => validation.universe.index.get(name)!
  const model = trainNaiveBayes(classes!, joint)
  return accuracy(model, validation, column(target), otherAttributes(validation).map(column))
}

/** Knowing nothing: every class is as likely as any other, or the commonest is always meant. */
const guess = ({ training }: Trial): number => 1 / training.counts[0]!.length
const mode = ({ training }: Trial): number => Math.max(...training.counts[0]!) / training.records

const common = {
  x: { label: 'ε', log: true },
  values: [0.002, 0.004, 0.006, 0.008, 0.01, 0.1],
  quickValues: [0.01],
  settings: { class: target, parts, 'δ/n': 1e-4, 'ε₁/ε': 0.03 },
}

const errors = experimentOf({
  ...common,
  name: 'ireduct-fig10',
  about: 'overall error of the marginals for a classifier against ε (Fig. 10)',
  y: { label: 'overall error', log: true },
  lines: errorLines,
  notes: [
    ...errorNotes,
    'Nine marginals: of education, and of education and each other attribute; of nine tenths of the table.',
  ],
  reader(table, { seed }) {
    const inputs = trialsOf(table, seed).map(({ training }) => training)
    const bits = seededBits(seed + 1)
    return (epsilon) => meanErrors(inputs, settingAt(epsilon), bits)
  },
})

const compared = names.filter((name) => name !== 'fitted Laplace')

const accuracies = experimentOf({
  ...common,
  name: 'ireduct-fig11',
  about: 'accuracy of naive Bayes from noisy marginals against ε (Fig. 11)',
  y: { label: 'accuracy', close: true },
  lines: [...compared, 'exact', 'mode', 'zeros'],
  notes: [
    'Share of records whose education is told rightly, by ten-fold cross-validation; every count y enters as max(y + 1, 1) (§6.5).',
    'exact: from marginals without noise. mode: always the commonest class. zeros: a guess, as tables of zeros tell nothing.',
  ],
  reader(table, { seed }) {
    const trials = trialsOf(table, seed)
    const bits = seededBits(seed + 1)
    const known = {
      exact: mean(trials.map((trial) => told(trial, trial.training.counts))),
      mode: mean(trials.map(mode)),
      zeros: mean(trials.map(guess)),
    }
    return async (epsilon) => {
      const shares = new Map<string, number>(Object.entries(known))
      for (const trial of trials)
        for (const [name, released] of await releaseAll(trial.training, settingAt(epsilon), compared, bits))
          shares.set(name, (shares.get(name) ?? 0) + told(trial, released) / parts)
      return shares
    }
  },
})

export const classifierFigures: readonly Experiment[] = [errors, accuracies]
