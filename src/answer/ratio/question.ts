import { fromNumber } from '../../numeric/index.ts'
import { isInNoiseRange, type Statement } from '../../query/index.ts'
import { addSpending, measurementCharge } from '../../trusted/accounting/index.ts'
import { halfWidth } from '../column/interval.ts'
import type { Material } from '../compose.ts'
import { jointOfParts } from '../known/joint.ts'
import { fromHistory, fromMeasurement } from '../known/known-part.ts'
import { purchasesOf, totalOf } from '../price/choice.ts'
import type { Needs } from '../price/needs.ts'
import { partCost, reportOf } from '../price/part-report.ts'
import { priceParts } from '../price/priced-part.ts'
import type { PartBought, PartChoice, Question, Step } from '../question/question.ts'
import { WithinQuestion } from '../question/within.ts'
import type { Within } from '../requirement.ts'
import type { Session } from '../session.ts'
import { Allowance } from './allowance.ts'
import { Attempt } from './attempt.ts'
import { mostAttempts, type RatioContext, ratioContext, ratioParts } from './context.ts'
import { Descent } from './descent.ts'
import { forecast } from './forecast.ts'
import { fromEarlier, isEnough, type Told } from './free.ts'
import { Looks } from './looks.ts'
import { Sizes } from './sizes.ts'
import { Stages } from './stages.ts'
import { floorNote, plannedFloorNote, usualFloor } from './usual-floor.ts'

/**
 * Ratios within ± `within`: free if the history is precise enough. Otherwise it is a purchase in steps, since the price depends on the size of
 * the denominator, which nobody knows beforehand. The words of this folder, in the order of the steps:
 *
 * - a *look* (looks.ts) is a cheap answer that says how large a denominator, then a numerator, is;
 * - *sizes* (sizes.ts) are what looks and the history say: how large denominators are, and how far from 0 ratios may be (their *reach*);
 * - *stages* (stages.ts) derive from the sizes how much noise each part may have;
 * - an *attempt* (attempt.ts) buys denominators, then numerators as precisely as these make necessary; it can fail if a denominator turns out
 *   smaller than it looked, and is then repeated. A *descent* (descent.ts) refines both together in small steps;
 * - *doubt* is 1 - confidence, shared among everything that may go wrong (context.ts).
 *
 * Numerators are refined from their looks, so that a look costs nothing in the end. Proof: docs/algorithms/ratios.md
 */
export class RatioQuestion implements Question {
  readonly #context: RatioContext
  /** No floor was given, and there are groups. */
  readonly #hasUsualFloor: boolean
  /** For columns that are no ratios. */
  readonly #linear: WithinQuestion
  readonly #sizes: Sizes
  readonly #allowance: Allowance
  readonly #looks: Looks
  #told: Told = 'silent'
  #attempts = 0
  #attempt: Attempt | Descent
  /** What the next purchase is for. */
  #next: 'look' | 'attempt' | 'rest' = 'look'
  #hasBought = false
  /** Parts of columns that are no ratios, once they are bought. */
  readonly #others = new Map<number, PartBought>()

  constructor(statement: Statement, wanted: Within, needs: Needs, session: Session) {
    const asked = ratioContext(statement, wanted, { needs, session })
    const { floor, ...usual } = wanted.floor === undefined ? usualFloor(asked) : { floor: wanted.floor }
    const context = { ...asked, ...usual, wanted: { ...wanted, floor } }
    this.#context = context
    this.#hasUsualFloor = wanted.floor === undefined && floor > 0
    this.#linear = new WithinQuestion(statement, wanted, needs, session)
    this.#sizes = new Sizes(context)
    this.#allowance = new Allowance(context)
    this.#looks = new Looks(context, this.#sizes)
    this.#attempt = new Attempt(context, this.#sizes)
  }

  next(): Step {
    const step = this.#step()
    return step.kind === 'answer' ? { ...step, material: this.#noted(step.material) } : step
  }

  /** Adds a note if groups are less precise than requested although no floor was given. */
  #noted(material: Material): Material {
    const { needs, wanted } = this.#context
    const isPrecise = needs.ratios.every((goal) => this.#sizes.needed(goal).every(Boolean))
    if (!this.#hasUsualFloor || isPrecise) return material
    const floor = Math.max(...needs.ratios.map((goal) => this.#sizes.floor(goal)))
    return { ...material, notes: [floorNote(floor, wanted.floor!, wanted.within)] }
  }

  #step(): Step {
    this.#sizes.historyMayHaveGrown()
    if (this.#attempt.isDone) return this.#rest()
    if (!this.#hasBought) {
      const free = fromEarlier(this.#context, this.#sizes)
      if (typeof free !== 'string') return { kind: 'answer', material: free }
      this.#told = free
      if (free === 'silent' && Descent.isOpen(this.#context, this.#sizes))
        this.#attempt = new Descent(this.#context, this.#sizes)
      this.#attempt.recall()
    }
    const stages = new Stages(this.#context, this.#sizes, this.#doubt)
    const foreseen = this.#hasBought ? undefined : forecast(this.#context, stages, this.#sizes)
    if (foreseen?.most) this.#allowance.forecast(foreseen.most.epsilon)
    const step = this.#look(stages) ?? this.#stage(stages)
    if (step.kind !== 'buy') return step
    if (this.#hasBought) return step
    const notes = this.#hasUsualFloor
      ? [plannedFloorNote(this.#context.wanted.floor!, this.#context.wanted.within)]
      : []
    return { ...step, most: this.#allowance.most, ...foreseen, notes }
  }

  learn(bought: readonly PartBought[]): void {
    this.#hasBought = true
    if (this.#next === 'rest') {
      for (const part of bought) this.#others.set(part.part, part)
      return
    }
    if (this.#next === 'look') {
      this.#looks.take(bought)
      this.#attempt.look(bought)
    } else this.#attempt.learn(bought)
    this.#sizes.see(bought)
    this.#allowance.pay(bought)
  }

  get #doubt(): number {
    const { doubt } = this.#context
    return this.#attempt instanceof Descent ? doubt.descent : doubt.purchase(this.#attempts, this.#told)
  }

  /** A cheap purchase that says how large denominators are; undefined if that is known well enough. */
  #look(stages: Stages): Step | undefined {
    if (this.#attempt.hasBegun) return undefined
    this.#next = 'look'
    const sizes = this.#looks.next(stages)
    if (!sizes) return undefined
    const found = this.#looks.areOver ? undefined : stages.choices(sizes)
    const parts = found && this.#looks.refined(found)
    const isOpen = parts && this.#allowance.allowsLook(parts) && this.#allowance.allows(parts)
    return isOpen ? { kind: 'buy', parts } : this.#best(stages)
  }

  /** What the attempt buys next; if it failed, what another one does. */
  #stage(stages: Stages): Step {
    this.#next = 'attempt'
    const parts = this.#attempt.next(stages, this.#attempts + 1 < mostAttempts)
    if (parts === 'failed') {
      this.#attempts++
      this.#attempt = new Attempt(this.#context, this.#sizes)
      return this.#step()
    }
    if (this.#attempt.isDone) return this.#rest()
    if (!parts) return this.#refused()
    const expected = this.#attempt.expected(stages)
    if (this.#allowance.allows(expected ?? parts)) return { kind: 'buy', parts }
    return this.#attempt.affordable(stages, (some) => this.#allowance.allows(some)) ?? this.#best(stages, expected)
  }

  /** The best that a limit on the price buys; a refusal if there is no limit, or it buys nothing. */
  #best(stages: Stages, expected?: readonly PartChoice[]): Step {
    const { rest, hasLimit } = this.#allowance
    const parts = hasLimit && rest !== undefined ? this.#for(rest) : undefined
    if (!parts || !this.#allowance.allows(parts)) return this.#refused(expected)
    this.#next = 'attempt'
    this.#attempt = new Attempt(this.#context, this.#sizes, { inOneGo: true })
    this.#attempt.begin(stages.doubt)
    return { kind: 'buy', parts }
  }

  /** All parts of ratios at an equal price each. */
  #for(epsilon: number): PartChoice[] | undefined {
    const { statement, session, doubt, needs } = this.#context
    const parts = [...ratioParts(needs)]
    const queries = parts.map((part) => statement.parts[part]!)
    const priced = priceParts({ parts: queries }, fromNumber(Number((epsilon * 0.999).toPrecision(6))), session.book)
    if (!priced.every(({ law }) => isInNoiseRange(law))) return undefined
    return parts.map((part, i) => {
      const charge = measurementCharge(priced[i]!)
      const choice = { kind: 'fresh', charge, price: priced[i]!.price } as const
      return { part, query: queries[i]!, choice, within: halfWidth(charge, 1 - doubt.other) }
    })
  }

  #refused(expected?: readonly PartChoice[]): Step {
    const price = expected && totalOf(expected)
    return { kind: 'refuse', price, error: this.#allowance.exceeded(price) }
  }

  /** Buys the parts of columns that are no ratios, then answers. Refinements are bought one by one. */
  #rest(): Step {
    const ratios = ratioParts(this.#context.needs)
    const missing = this.#context.statement.parts.flatMap((query, part) =>
      ratios.has(part) || this.#others.has(part) ? [] : [this.#linear.choiceFor(part, query)],
    )
    this.#next = 'rest'
    if (purchasesOf(missing).length > 0) return { kind: 'buy', parts: missing }
    return { kind: 'answer', material: this.#answered() }
  }

  /** The answer's material, once everything has been bought. */
  #answered(): Material {
    const { session, statement } = this.#context
    const made = statement.parts.map((query, part) => {
      const final = this.#attempt.final(part)
      const other = this.#others.get(part) ?? this.#linear.choiceFor(part, query)
      const paid = this.#allowance.paid(part)
      if (!final) return { known: this.#linear.known(other), choice: other, joint: noNoise(query) }
      const known =
        'measurement' in final ? fromMeasurement(final.measurement, paid) : { ...fromHistory(final.known), price: paid }
      const choice = 'measurement' in final ? final : ({ query, choice: { kind: 'free', known: final.known } } as const)
      return { known, choice, joint: 'measurement' in final ? final.measurement : final.known }
    })
    const material: Material = {
      kind: 'fresh',
      parts: made.map(({ known }) => known),
      reports: made.map(({ known, choice }) => ({
        ...reportOf(choice, session.book),
        ...partCost(addSpending(known.price, totalOf([])), session.book),
      })),
      joint: jointOfParts(made.map(({ joint }) => joint)),
      ratioConfidence: 1 - this.#attempt.doubt,
    }
    return isEnough(material, this.#context, this.#sizes) ? material : { ...material, short: true }
  }
}

const noNoise = (query: Statement['parts'][number]) => ({ query, law: { kind: 'none' } }) as const
