import { DenseModel, type FittedModel, type NoisyAnswer } from '../../../model/index.ts'
import { add, extent, type Rational, toNumber, zero } from '../../../numeric/index.ts'
import { answerSize, attributesOf, type Measurement, noiseDeviation, noiseVariance } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import { closing } from '../../marginals/closing.ts'
import type { Bought, Draws } from '../../meter.ts'
import { amountOf, drawOf } from '../budget.ts'
import type { SynthContext, SynthMethod, SynthStep } from '../method.ts'
import { planRecords, settleRecords } from '../records.ts'
import { refuseTooManyAnswers } from '../workload/limits.ts'
import { Candidates } from './candidates.ts'
import { type Design, designFor } from './design.ts'
import { type Bill, runRounds } from './loop.ts'
import { measurable } from './measurable.ts'
import { modelFor } from './model-for.ts'
import { noisyAnswer } from './noise.ts'
import { refuseImpossible, refuseTooLittle } from './refusals.ts'
import type { MwemRequest } from './request.ts'
import { currencyOf } from './rounds.ts'

/**
 * MWEM (Hardt, Ligett and McSherry): a model of the whole table that is improved round by round, each time by a noisy
 * answer to a query of the workload that it answers badly, found by the exponential mechanism. Choices, noise and proof:
 * docs/algorithms/mwem.md
 */
export const mwem: SynthMethod<MwemRequest> = {
  plan(asked, terms) {
    const { universe } = terms
    const request = { ...asked, queries: measurable(asked.queries, terms) }
    refuseTooManyAnswers(request.queries, universe)
    const candidates = new Candidates(request.queries, terms)
    refuseImpossible(request, candidates, universe)
    const { budget, steps } = planRecords(request, terms)
    const records = request.records.kind === 'known' ? request.records.count : request.records.about
    refuseTooLittle(budget, candidates, records)
    // Where the number of records is yet to be bought, so is the number of rounds.
    if (records === undefined && typeof request.rounds !== 'number') {
      const share = toNumber(amountOf(budget)) / toNumber(amountOf(request.budget))
      return {
        steps: [
          ...steps,
          { name: 'rounds, or counts of all cells, depending on the number of records', share, count: 1 },
        ],
      }
    }
    const design = designFor(request, { budget, records: records ?? 1, candidates, terms })
    const bill = billFor(request)
    return {
      steps: [...steps, ...startSteps(design, bill, universe), ...plannedRounds(design, bill, candidates, request)],
      ...(design.start && { certain: [design.start] }),
    }
  },

  async make(asked, context) {
    const { universe, meter, progress } = context
    const request = { ...asked, queries: measurable(asked.queries, context) }
    refuseTooManyAnswers(request.queries, universe)
    const candidates = new Candidates(request.queries, context)
    refuseImpossible(request, candidates, universe)
    if (request.records.kind === 'known') refuseTooLittle(request.budget, candidates, request.records.count)
    const { budget, steps, count, receipts } = await settleRecords(request, context)
    refuseTooLittle(budget, candidates, count)
    const design = designFor(request, { budget, records: count, candidates, terms: context })
    const chosen = design.rounds ? request.queries : []
    const draws = await meter.openDraws({
      queries: design.start ? [...chosen, design.start.query] : chosen,
      ...budget,
    })
    const bill = billFor(request)
    let [model, rounds]: [FittedModel | undefined, readonly SynthStep[]] = [undefined, []]
    const receipt = await closing(draws, async () => {
      if (design.start) progress?.({ share: 0, doing: startNames[design.start.kind] })
      const start = design.start && drawStart(draws, chosen.length, design.start)
      model = modelFor(request, universe, design.start?.kind)(universe, betterCount(count, receipts, start))
      const answers = await fitKnown(request.history, start, model, context)
      for (const answer of answers) candidates.learn(answer)
      const loop = { draws, model, candidates, answers, currency: currencyOf(budget) }
      if (design.rounds) rounds = await runRounds(loop, design.rounds, context, bill)
    })
    progress?.({ share: 1, doing: 'done' })
    return {
      model: model!.result(),
      steps: [...steps, ...startSteps(design, bill, universe), ...rounds],
      receipts: [...receipts, receipt],
    }
  },
}

const drawStart = (draws: Draws, place: number, { query, law }: NonNullable<Design['start']>): NoisyAnswer =>
  noisyAnswer({ query, law, values: draws.draw(drawOf(place, law)) })

/** The number of records, where it was bought: all counts together tell it too. */
function betterCount(count: number, bought: readonly Bought[], start: NoisyAnswer | undefined): number {
  const law = bought[0]?.measurements[0]?.law
  if (!law || !start) return count
  const total = Array.from(start.values).reduce((sum, value) => sum + value, 0)
  const [own, others] = [noiseVariance(law), start.variance * start.values.length]
  return Math.max(1, (count * others + total * own) / (own + others))
}

/**
 * Fits what the history tells, as far as the model has room for it, and what the start does. How many records there are is told by
 * other means.
 */
async function fitKnown(
  history: readonly Measurement[],
  start: NoisyAnswer | undefined,
  model: FittedModel,
  { universe, progress, signal }: Pick<SynthContext, 'universe' | 'progress' | 'signal'>,
): Promise<NoisyAnswer[]> {
  const answers: NoisyAnswer[] = start ? [start] : []
  const told = history.filter(({ query }) => attributesOf(query, universe).length > 0)
  // Every fit of a dense model visits all cells; parts grow with what they are told, and want to be fitted on the way.
  const atOnce = model instanceof DenseModel ? told.length : Math.max(fewestAtOnce, Math.ceil(told.length / mostFits))
  for (let from = 0; from < told.length; from += atOnce) {
    progress?.({ share: 0, doing: `what the history tells: ${from + 1} of ${told.length}` })
    await stoppingPoint(signal)
    for (const answer of told.slice(from, from + atOnce).map(noisyAnswer)) if (model.hold(answer)) answers.push(answer)
    if (answers.length > 0) model.fit(answers)
  }
  if (told.length === 0 && start) model.fit(answers)
  return answers
}

/** How often a model in parts is fitted while it takes up the history, and how many answers make it worth while. */
const mostFits = 16
const fewestAtOnce = 8

const billFor =
  ({ budget }: MwemRequest): Bill =>
  (name, count, prices, laws) => {
    const deviations = laws.map(noiseDeviation)
    return {
      name,
      share: toNumber(prices.reduce<Rational>(add, zero)) / toNumber(amountOf(budget)),
      count,
      deviation: extent(deviations),
    }
  }

const startNames = { cells: 'counts of all cells', grid: 'counts of blocks of neighbouring values' } as const

const startSteps = ({ start }: Design, bill: Bill, universe: Universe): SynthStep[] =>
  start ? [bill(startNames[start.kind], answerSize(start.query, universe), [start.price], [start.law])] : []

/** Which query a round asks is yet to be chosen, so its noise is a range. */
function plannedRounds({ rounds }: Design, bill: Bill, { costs }: Candidates, { budget }: MwemRequest): SynthStep[] {
  const steps: SynthStep[] = []
  if (!rounds) return steps
  if (!rounds.count) return [{ name: 'rounds, until the budget is used up', share: 1, count: 2 }]
  for (let round = 1; round <= rounds.count; round++) {
    const { choice, answer } = rounds.next(false)!
    const laws = costs.all(answer, currencyOf(budget)).map(({ law }) => law)
    steps.push(bill(`round ${round}`, 2, [choice, answer], laws))
  }
  return steps
}
