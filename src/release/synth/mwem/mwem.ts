import { add, type Rational, toNumber, zero } from '../../../numeric/index.ts'
import { attributesOf, type Measurement } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { closing } from '../../marginals/closing.ts'
import type { Draws } from '../../meter.ts'
import { amountOf, deviationOf } from '../budget.ts'
import type { SynthMethod, SynthStep } from '../method.ts'
import { DenseModel } from '../model/dense/dense-model.ts'
import { planRecords, settleRecords } from '../records.ts'
import { Candidates } from './candidates.ts'
import { type Design, designFor } from './design.ts'
import type { FittedModel, NoisyAnswer } from './fitted-model.ts'
import { type Bill, type Loop, runRounds } from './loop.ts'
import { modelFor } from './model-for.ts'
import { drawOf, noisyAnswer } from './noise.ts'
import { refuseImpossible, refuseTooLittle } from './refusals.ts'
import type { MwemRequest } from './request.ts'
import { currencyOf } from './rounds.ts'

/**
 * MWEM (Hardt, Ligett and McSherry): a model of the whole table that is improved round by round, each time by a noisy
 * answer to a query of the workload that it answers badly, found by the exponential mechanism. Choices, noise and proof:
 * docs/algorithms/mwem.md
 */
export const mwem: SynthMethod<MwemRequest> = {
  plan(request, terms) {
    const { universe } = terms
    const candidates = new Candidates(request.queries, terms)
    refuseImpossible(request, candidates, universe)
    const { budget, steps } = planRecords(request, terms)
    const records = request.records.kind === 'known' ? request.records.count : undefined
    refuseTooLittle(budget, candidates, records)
    // Where the number of records is yet to be bought, so is the number of rounds.
    if (records === undefined && typeof request.rounds !== 'number') {
      const share = toNumber(amountOf(budget)) / toNumber(amountOf(request.budget))
      return { steps: [...steps, { name: 'rounds, as many as the number of records calls for', share, count: 1 }] }
    }
    const design = designFor(request, { budget, records: records ?? 1, candidates, terms })
    const bill = billFor(request)
    return {
      steps: [...steps, ...startSteps(design, bill, universe), ...plannedRounds(design, bill, candidates, request)],
      ...(design.start && { certain: [design.start] }),
    }
  },

  async make(request, context) {
    const { universe, meter, progress } = context
    const candidates = new Candidates(request.queries, context)
    refuseImpossible(request, candidates, universe)
    if (request.records.kind === 'known') refuseTooLittle(request.budget, candidates, request.records.count)
    const { budget, steps, count, receipts } = await settleRecords(request, context)
    refuseTooLittle(budget, candidates, count)
    const design = designFor(request, { budget, records: count, candidates, terms: context })
    const model = modelFor(request, universe)(universe, count)
    const answers = fitKnown(request.history, model, universe)
    for (const answer of answers) candidates.learn(answer)
    const chosen = design.rounds ? request.queries : []
    const queries = design.start ? [...chosen, design.start.query] : chosen
    const draws = await meter.openDraws({ queries, ...budget })
    const bill = billFor(request)
    let rounds: readonly SynthStep[] = []
    const receipt = await closing(draws, async () => {
      const loop = { draws, model, candidates, answers, currency: currencyOf(budget) }
      if (design.start) {
        progress?.({ share: 0, doing: 'counts of all cells' })
        drawStart(loop, chosen.length, design.start)
      }
      if (design.rounds) rounds = await runRounds(loop, design.rounds, context, bill)
    })
    progress?.({ share: 1, doing: 'done' })
    return {
      model: model.result(),
      steps: [...steps, ...startSteps(design, bill, universe), ...rounds],
      receipts: [...receipts, receipt],
    }
  },
}

/** Fits what the history tells, as far as the model has room for it. How many records there are is told by other means. */
function fitKnown(history: readonly Measurement[], model: FittedModel, universe: Universe): NoisyAnswer[] {
  const answers: NoisyAnswer[] = []
  for (const measurement of history) {
    const attributes = attributesOf(measurement.query, universe).map((name) => universe.index.get(name)!)
    if (attributes.length === 0 || !model.canHold(attributes)) continue
    answers.push(noisyAnswer(measurement))
    // What there is room for depends on what was fitted, unless every cell has its own.
    if (!(model instanceof DenseModel)) model.fit(answers)
  }
  if (model instanceof DenseModel && answers.length > 0) model.fit(answers)
  return answers
}

function drawStart(
  { draws, model, candidates, answers }: Pick<Loop, 'model' | 'candidates' | 'answers'> & { draws: Draws },
  place: number,
  { query, law }: NonNullable<Design['start']>,
): void {
  const answer = noisyAnswer({ query, law, values: draws.draw(drawOf(place, law)) })
  answers.push(answer)
  candidates.learn(answer)
  candidates.changed(model.fit(answers))
}

const billFor =
  ({ budget }: MwemRequest): Bill =>
  (name, count, prices, laws) => {
    const deviations = laws.map(deviationOf)
    return {
      name,
      share: toNumber(prices.reduce<Rational>(add, zero)) / toNumber(amountOf(budget)),
      count,
      deviation: [Math.min(...deviations), Math.max(...deviations)],
    }
  }

const startSteps = ({ start }: Design, bill: Bill, { size }: Universe): SynthStep[] =>
  start ? [bill('counts of all cells', Number(size), [start.price], [start.law])] : []

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
