import { isDense } from '../../../model/index.ts'
import { multiply, one, type Rational, rational, subtract, toNumber, zero } from '../../../numeric/index.ts'
import { type LinearQuery, noiseDeviation } from '../../../query/index.ts'
import { wholeUnits } from '../../marginals/share.ts'
import type { Purchase } from '../../meter.ts'
import { amountOf, lawFor, ofSameCurrency, type RunLaw } from '../budget.ts'
import type { SynthBudget, SynthTerms } from '../method.ts'
import { hasWideRanges } from '../workload/wide-ranges.ts'
import type { Candidates } from './candidates.ts'
import { rangeGrid } from './grid.ts'
import { doublingPrices, equalPrices, type RoundPrices } from './prices.ts'
import type { MwemRequest } from './request.ts'
import { boundRounds, currencyOf, roundsInParts, roundsOfRanges } from './rounds.ts'
import { everyCell, startsWithCounts } from './start.ts'

/** How the budget is spent: settled by public numbers before the data are looked at. */
export interface Design {
  /** Counts to start from, and what they cost; undefined for none. */
  readonly start?: Start
  /** Undefined where the start is all. */
  readonly rounds?: RoundPrices
}

/** Of all cells, or of the blocks of a grid. */
interface Start extends Purchase {
  readonly kind: 'cells' | 'grid'
  readonly law: RunLaw
  readonly price: Rational
}

/** What a grid gets of the budget: the rounds after it find where its blocks are uneven. */
const gridShare = rational(1, 2)

/** An adaptive run begins with prices for so many times the rounds that would be chosen beforehand. */
const finerStart = 4

export function designFor(request: MwemRequest, { budget, records, candidates, terms }: DesignSituation): Design {
  const whole = amountOf(budget)
  const { attributes, logSize } = terms.universe
  const isWhole = !request.model && isDense(terms.universe)
  const areRanges = hasWideRanges(request.queries, terms.universe)
  const chosen = (amount: Rational) => {
    const bound = boundRounds({
      records,
      budget: { amount: toNumber(amount), currency: currencyOf(budget) },
      sensitivity: candidates.costs.sensitivities.reduce((a, b) => Math.max(a, b), 1),
      candidates: candidates.sheet.queries.length,
      logCells: logSize,
    })
    if (!isWhole) return roundsInParts(bound, attributes.length)
    return areRanges ? roundsOfRanges(bound) : bound
  }
  // The smooth fit takes codes as they come: it does not know that neighbours are alike, as ranges assume.
  const isFree = request.rounds === undefined && !request.model && !areRanges
  const counts = isFree && startsWithCounts(candidates, chosen(whole), { budget, terms })
  const grid = areRanges && isWhole && isLeftToUs(request) ? gridFor(records, budget, terms) : undefined
  const share = grid ? gridShare : (request.startShare ?? (counts ? one : zero))
  const price = share.num > 0n ? wholeUnits(multiply(whole, share)) : zero
  const left = subtract(whole, price)
  return {
    ...(price.num > 0n && { start: startFor(grid, price, budget, terms) }),
    ...(left.num > 0n && { rounds: roundsFor(request.rounds, left, chosen(left)) }),
  }
}

interface DesignSituation {
  /** What is left once the number of records is known. */
  readonly budget: SynthBudget
  readonly records: number
  readonly candidates: Candidates
  readonly terms: SynthTerms
}

/** Who says how many rounds there are, or what to start from, gets that and nothing else. */
const isLeftToUs = ({ rounds, startShare }: MwemRequest): boolean => rounds === undefined && startShare === undefined

function gridFor(records: number, budget: SynthBudget, terms: SynthTerms): LinearQuery | undefined {
  const noise = noiseDeviation(lawFor(everyCell(terms.universe), budget, terms))
  // The ε whose Laplace noise is as wide, whatever is paid in and however much a record moves.
  return rangeGrid(terms.universe, records, Math.SQRT2 / noise)
}

function startFor(grid: LinearQuery | undefined, price: Rational, budget: SynthBudget, terms: SynthTerms): Start {
  const query = grid ?? everyCell(terms.universe)
  return { kind: grid ? 'grid' : 'cells', query, law: lawFor(query, ofSameCurrency(budget, price), terms), price }
}

function roundsFor(asked: MwemRequest['rounds'], amount: Rational, chosen: number): RoundPrices {
  if (asked === 'adaptive') return doublingPrices(amount, finerStart * chosen)
  return equalPrices(amount, asked ?? chosen)
}
