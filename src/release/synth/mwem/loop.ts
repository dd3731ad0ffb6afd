import type { FittedModel, NoisyAnswer } from '../../../model/index.ts'
import { add, type Rational } from '../../../numeric/index.ts'
import type { LinearQuery } from '../../../query/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import type { Draws } from '../../meter.ts'
import { drawOf, type RunLaw } from '../budget.ts'
import type { SynthContext, SynthStep } from '../method.ts'
import { queryName } from '../workload/name.ts'
import type { Candidates } from './candidates.ts'
import { noisyAnswer } from './noise.ts'
import { choiceEpsilon, type RoundPrice, type RoundPrices } from './prices.ts'

/** What the rounds work on. */
interface Loop {
  readonly draws: Draws
  readonly model: FittedModel
  readonly candidates: Candidates
  /** All that the model is to agree with; rounds add to it. */
  readonly answers: NoisyAnswer[]
  readonly currency: 'epsilon' | 'rho'
}

/** Of a step: its name, its price and the noise of its answers. */
export type Bill = (name: string, count: number, prices: readonly Rational[], laws: readonly RunLaw[]) => SynthStep

/** Chooses, measures and fits, round by round, until the budget or all that could be told is used up. */
export async function runRounds(
  loop: Loop,
  prices: RoundPrices,
  context: Pick<SynthContext, 'universe' | 'progress' | 'signal'>,
  bill: Bill,
): Promise<SynthStep[]> {
  const { universe, progress, signal } = context
  const steps: SynthStep[] = []
  const of = prices.count ? ` of ${prices.count}` : ''
  let faded = false
  for (let round = 1; ; round++) {
    await stoppingPoint(signal)
    let price = prices.next(faded)
    let told = price && playRound(loop, price)
    // Where this buys nothing that is not known, more may.
    while (price && !told) {
      price = both(price, prices.next(false))
      told = price && playRound(loop, price)
    }
    if (!price || !told) break
    faded = told.faded
    const name = `round ${round}${of}: ${queryName(told.query, universe)}`
    steps.push(bill(name, 2, [price.choice, price.answer], [told.law]))
    // Of the adaptive rounds nobody knows how many are left.
    progress?.({ share: prices.count ? round / (prices.count + 1) : 1 - 1 / (1 + round / 10), doing: name })
  }
  return steps
}

const both = (a: RoundPrice, b: RoundPrice | undefined): RoundPrice | undefined =>
  b && { choice: add(a.choice, b.choice), answer: add(a.answer, b.answer) }

/** Undefined where nothing is left to choose. */
function playRound(
  { draws, model, candidates, answers, currency }: Loop,
  { choice, answer }: RoundPrice,
): { query: LinearQuery; law: RunLaw; faded: boolean } | undefined {
  const noise = candidates.costs.at(answer, currency)
  candidates.refresh(model, draws)
  const open = candidates.open(noise)
  if (open.length === 0) return undefined
  const place = candidates.choose(draws, { open, epsilon: choiceEpsilon(choice, currency), noise })
  const query = candidates.sheet.queries.at(place)!
  const { law, mean } = noise.of(place)
  const measured = noisyAnswer({ query, law, values: draws.draw(drawOf(place, law)) })
  const before = candidates.sheet.values.subarray(candidates.sheet.starts[place]!, candidates.sheet.starts[place + 1]!)
  const signal = before.reduce((sum, value, i) => sum + Math.abs(measured.values[i]! - value), 0)
  const faded = signal < 2 * mean * before.length
  answers.push(measured)
  candidates.learn(measured)
  candidates.changed(model.fit(answers))
  return { query, law, faded }
}
