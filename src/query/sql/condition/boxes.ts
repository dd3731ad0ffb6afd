import type { Universe } from '../../../schema/index.ts'
import { maxTerms, tooManyTerms, type Work } from '../work.ts'
import { type Diagram, Diagrams, everywhere, levelsOf, nowhere, pathCount, pathsOf } from './diagram.ts'
import type { Predicate } from './predicate.ts'
import type { Ranges } from './ranges.ts'

/** A product of code sets, by the attributes' indices; an attribute that is not here may have any code. */
export type Box = ReadonlyMap<number, Ranges>

/**
 * The cells where the condition is true, as few disjoint boxes. The result depends on those cells alone, not on how
 * the condition was written, so that equal questions become equal queries. Throws where more than maxTerms are needed.
 */
export function boxes(predicate: Predicate, universe: Universe, work: Work): Box[] {
  const natural = [...attributesIn(predicate)].sort((a, b) => a - b)
  const first = attempt(predicate, natural, universe, work)
  const best = first && first.paths <= 1 ? first : better(first, predicate, natural, universe, work)
  if (!best) throw tooManyTerms(`more than ${maxTerms}`)
  if (best.paths > maxTerms)
    throw tooManyTerms(best.paths <= Number.MAX_SAFE_INTEGER ? best.paths : `more than ${maxTerms}`)
  const { order } = best
  return [...pathsOf(best.diagram)].map((path) => new Map(path.map(([level, codes]) => [order[level]!, codes])))
}

interface Attempt {
  readonly order: readonly number[]
  readonly diagram: Diagram
  readonly paths: number
}

/** The best of a few other orders of the attributes that matter, or the first attempt where none is better. */
function better(
  first: Attempt | undefined,
  predicate: Predicate,
  natural: readonly number[],
  universe: Universe,
  work: Work,
): Attempt | undefined {
  const looked = first ? [...levelsOf(first.diagram)].map((level) => natural[level]!).sort((a, b) => a - b) : natural
  const rest = natural.filter((a) => !looked.includes(a))
  let best = first
  // A diagram that begins with an attribute of many values has many nodes: if the first was too large, try others before.
  const size = (index: number) => universe.attributes[index]!.size
  const tried = first ? looked : looked.toSorted((a, b) => size(a) - size(b) || a - b)
  // All of them share the steps of one attempt.
  work.attempt((shared) => {
    for (const order of orders(tried)) {
      const next = attempt(predicate, [...order, ...rest], universe, shared)
      if (next && !(best && best.paths <= next.paths)) best = next
    }
  })
  return best
}

function attempt(predicate: Predicate, order: readonly number[], universe: Universe, work: Work): Attempt | undefined {
  return work.attempt((part) => {
    const sizes = order.map((index) => universe.attributes[index]!.size)
    const levels = new Map(order.map((index, level) => [index, level]))
    const diagram = truth(predicate, new Diagrams(sizes, part), levels).true
    return { order, diagram, paths: pathCount(diagram) }
  })
}

/** Where a condition is true and where it is false; elsewhere it is unknown. */
interface Truth {
  readonly true: Diagram
  readonly false: Diagram
}

function truth(p: Predicate, d: Diagrams, levels: ReadonlyMap<number, number>): Truth {
  switch (p.kind) {
    case 'constant':
      return { true: p.value === true ? everywhere : nowhere, false: p.value === false ? everywhere : nowhere }
    case 'leaf': {
      const level = levels.get(p.attribute)!
      return { true: d.leaf(level, p.true), false: d.leaf(level, p.false) }
    }
    case 'joint': {
      const at = p.attributes.map((index) => levels.get(index)!)
      return { true: d.table(at, p.truth, 1), false: d.table(at, p.truth, 0) }
    }
    case 'not': {
      const of = truth(p.of, d, levels)
      return { true: of.false, false: of.true }
    }
    case 'is': {
      const of = truth(p.of, d, levels)
      const yes = p.truth === null ? d.not(d.or(of.true, of.false)) : p.truth ? of.true : of.false
      return { true: yes, false: d.not(yes) }
    }
    case 'and':
      return join(p.of, everywhere, nowhere, (a, b) => ({ true: d.and(a.true, b.true), false: d.or(a.false, b.false) }))
    case 'or':
      return join(p.of, nowhere, everywhere, (a, b) => ({ true: d.or(a.true, b.true), false: d.and(a.false, b.false) }))
  }

  // Halves rather than one by one: long lists on one attribute then take n log n steps, not n².
  function join(of: readonly Predicate[], yes: Diagram, no: Diagram, both: (a: Truth, b: Truth) => Truth): Truth {
    if (of.length === 0) return { true: yes, false: no }
    if (of.length === 1) return truth(of[0]!, d, levels)
    const middle = of.length >> 1
    return both(join(of.slice(0, middle), yes, no, both), join(of.slice(middle), yes, no, both))
  }
}

function attributesIn(p: Predicate, found = new Set<number>()): Set<number> {
  if (p.kind === 'leaf') found.add(p.attribute)
  else if (p.kind === 'joint') for (const attribute of p.attributes) found.add(attribute)
  else if (p.kind === 'not' || p.kind === 'is') attributesIn(p.of, found)
  else if (p.kind !== 'constant') for (const part of p.of) attributesIn(part, found)
  return found
}

/** All orders of up to four attributes; beyond that, each attribute moved to the front and to the back. */
function* orders(attributes: readonly number[]): Iterable<readonly number[]> {
  if (attributes.length <= 4) return yield* permutations(attributes)
  for (const a of attributes) {
    const rest = attributes.filter((other) => other !== a)
    yield [a, ...rest]
    yield [...rest, a]
  }
}

function* permutations(items: readonly number[]): Iterable<readonly number[]> {
  if (items.length <= 1) yield items
  for (const item of items.length > 1 ? items : [])
    for (const rest of permutations(items.filter((other) => other !== item))) yield [item, ...rest]
}
