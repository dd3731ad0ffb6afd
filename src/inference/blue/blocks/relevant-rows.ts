import type { Shapes, Weights } from '../compile.ts'
import { kept } from '../kept.ts'
import type { Block } from './block.ts'
import { type BlockPart, PartReader } from './block-parts.ts'
import { CoarseRows } from './coarse-rows.ts'
import { commonParts } from './common-part.ts'
import { areIndependent } from './independence.ts'
import type { Row } from './row.ts'

/** Parts of tables whose queries depend on the same attributes. */
interface PartSet {
  readonly places: readonly number[]
  readonly parts: BlockPart[]
  /** What of them matters where nothing else depends on all of these attributes; found when it is first asked for. */
  common: Common | undefined
}

type Lists = BlockPart['lists']
/** Nothing, all, or a part of each. */
type Common = 'nothing' | 'all' | ReadonlyMap<BlockPart, Lists>

/**
 * Which parts of which answers can make an estimate better, and which cannot whatever they are: docs/algorithms/blue.md,
 * section 6. `known` are the attributes of full marginals.
 */
export class RelevantRows {
  readonly #shapes: Shapes
  readonly #reader = new PartReader()
  readonly #blocks: Block[] = []
  readonly #sets = new Map<string, PartSet>()
  readonly #partsOf = new Map<Block, readonly BlockPart[]>()
  /** Attributes that something else may depend on. */
  readonly #fixed: (readonly number[])[]
  readonly #sizes = new Map<string, number>()

  constructor(blocks: Iterable<Block>, known: readonly (readonly number[])[], shapes: Shapes) {
    this.#shapes = shapes
    this.#fixed = [...known]
    for (const block of blocks) this.add(block)
  }

  add(block: Block): void {
    const parts = this.#reader.partsOf(block)
    this.#blocks.push(block)
    this.#sizes.clear()
    if (parts) {
      this.#partsOf.set(block, parts)
      for (const part of parts) this.#put(part)
    } else this.#fixed.push(...attributesOf(block))
  }

  #put(part: BlockPart): void {
    const key = part.places.join()
    const set = this.#sets.get(key)
    if (set) {
      set.parts.push(part)
      set.common = undefined
    } else this.#sets.set(key, { places: part.places, parts: [part], common: undefined })
  }

  /** Equal texts, equal rows. */
  key(question: Weights): string {
    return Array.from(this.#relevant(question), ([{ places }, how]) => `${places} ${how === 'all'}`)
      .sort()
      .join('|')
  }

  /** From many attributes to few: what depends on more of them may tell about what depends on fewer. */
  #relevant(question: Weights): Map<PartSet, Common> {
    const touched = [...this.#fixed, ...question.terms.map(({ attributes }) => attributes)]
    const relevant = new Map<PartSet, Common>()
    for (const set of [...this.#sets.values()].sort((x, y) => y.places.length - x.places.length)) {
      const isTouched = touched.some((places) => set.places.every((place) => places.includes(place)))
      if (!isTouched) set.common ??= commonOf(set)
      const how = isTouched ? 'all' : set.common!
      if (how === 'nothing') continue
      relevant.set(set, how)
      touched.push(set.places)
    }
    return relevant
  }

  /** How many numbers there are to combine: parts with the same queries come together. Only the question's attributes count. */
  sizeFor(question: Weights): number {
    const key = [...new Set(question.terms.map(({ shape }) => shape))].sort((x, y) => x - y).join()
    return kept(this.#sizes, key, () => this.#countFor(question))
  }

  #countFor(question: Weights): number {
    let size = 0
    for (const [{ parts }, how] of this.#relevant(question)) {
      const different = new Map(parts.map((part) => [part.space, part])).values()
      for (const part of different) size += sizeOf(listsOf(part, how))
    }
    for (const block of this.#blocks) if (!this.#partsOf.has(block)) size += block.values.length
    return size
  }

  rowsFor(question: Weights): Row[] {
    const relevant = this.#relevant(question)
    const rows = new CoarseRows(this.#shapes)
    for (const block of this.#blocks) {
      const parts = this.#partsOf.get(block)
      const matter = parts?.map((part) => ({ part, how: relevant.get(this.#sets.get(part.places.join())!) }))
      if (!matter?.some(({ how }) => how !== 'all')) rows.add(block, this.#reader.cellsOf(block))
      else for (const { part, how } of matter) if (how) rows.add(block, listsOf(part, how))
    }
    return rows.rows
  }
}

const listsOf = (part: BlockPart, how: Common): Lists =>
  how === 'all' ? part.lists : how === 'nothing' ? [] : how.get(part)!

const sizeOf = (lists: Lists): number => lists.reduce((product, list) => product * list.length, 1)

const attributesOf = ({ shared, axes }: Block): number[][] =>
  shared.terms.map(({ attributes }) => [...new Set([...attributes, ...axes.map(({ place }) => place)])])

/** Where along some attribute all their different queries are independent, they have nothing in common. */
function commonOf({ places, parts }: PartSet): Common {
  const different = [...new Map(parts.map((part) => [part.space, part])).values()]
  const isApart = (_: number, i: number) => areIndependent(different.flatMap(({ columns }) => columns[i]!.columns))
  if (different.length === 1 || places.some(isApart)) return 'nothing'
  return commonParts(parts) ?? 'all'
}
