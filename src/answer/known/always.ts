import { gaussianHalfWidth, laplaceHalfWidth, toNumber } from '../../numeric/index.ts'
import type { Measurement } from '../../query/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { KnownPart } from './known-part.ts'

type Release = Book['releases'][number]
/** How far a measurement's numbers may be off, in steps. */
type Reaches = Map<string, number>

/**
 * Half-widths that hold all at once, however questions were chosen: with the confidence, no noisy number of this epoch is
 * ever farther off than its reach, and an answer is at most off by those of the numbers that it was made of. The doubt
 * is shared by all purchases in their order, and among the numbers and the possible scales of each.
 * Proof: docs/algorithms/always.md
 */
export class AlwaysWidths {
  readonly #reaches: Reaches = new Map()

  constructor(book: Pick<Book, 'releases'>, confidence: number) {
    const roots = new Map<string, number>()
    book.releases.forEach((release, i) => {
      const doubt = (1 - confidence) * part(i)
      for (const [m, share] of shares(release)) {
        const reach = reachOf(m, doubt * share, chainOf(release, m, roots))
        this.#reaches.set(m.id, reach)
      }
    })
  }

  halfWidth({ sources, errorLaw }: KnownPart, group: number): number {
    const sum = sources(group).reduce((total, { id, weight }) => total + weight * this.#reaches.get(id)!, 0)
    // What rounding may have done is in the blur.
    return sum + errorLaw(group).blur
  }
}

/** Of 1, for the first, second, … of any number: 1/2 + 1/6 + 1/12 + … */
const part = (i: number): number => 1 / ((i + 1) * (i + 2))

/** The share of the purchase's doubt that each noisy number of a measurement has. */
function shares({ kind, grid, measurements }: Release): (readonly [Measurement, number])[] {
  const all = measurements.reduce((sum, m) => sum + m.values.length, 0)
  // How many answers such a run gives may depend on what the first ones say.
  const isOpenEnded = kind === 'run-open' && grid === null
  return measurements.map((m, i) => [m, isOpenEnded ? part(i) / m.values.length : 1 / all])
}

/** The scale at which the noise of an answer began, where it was lowered since; `roots` has those of earlier answers. */
function chainOf({ refines, grid }: Release, { id, law }: Measurement, roots: Map<string, number>): number | undefined {
  if (law.kind !== 'laplace') return undefined
  const root = grid ? toNumber(grid.first) : refines === null ? undefined : roots.get(refines)
  roots.set(id, root ?? toNumber(law.scale))
  return root
}

/** How far a number may be off but for this doubt. Noise that was lowered had it at every scale on the way. */
function reachOf({ law }: Measurement, doubt: number, root: number | undefined): number {
  if (law.kind === 'none') return 0
  if (law.kind === 'gaussian') return gaussianReach(toNumber(law.variance), doubt)
  const scale = toNumber(law.scale)
  if (root === undefined) return laplaceReach(scale, doubt)
  // The noise at the top of an octave of scales bounds the noise at all scales within, at twice the doubt.
  const octave = Math.floor(Math.log2((above * root) / scale))
  const top = Math.min(root, (above * root) / 2 ** octave)
  return laplaceReach(top, (doubt * part(octave)) / 2)
}

/** Octaves end a little above the halves of the first scale: half a width is what is asked for most often. */
const above = 1.05

/** A confidence of 1 less than this has lost its digits. */
const tiny = 1e-12
const laplaceReach = (scale: number, doubt: number): number =>
  doubt > tiny ? laplaceHalfWidth(scale, 1 - doubt) : Math.ceil(scale * Math.log(2 / doubt))
const gaussianReach = (variance: number, doubt: number): number =>
  doubt > tiny ? gaussianHalfWidth(variance, 1 - doubt) : Math.ceil(Math.sqrt(2 * variance * Math.log(2 / doubt)))
