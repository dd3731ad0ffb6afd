import type { Job } from '../../src/client/index.ts'
import { countText, percentText } from '../parts/number.ts'
import { keyOf } from './pairs.ts'
import { type Shade, Triangle } from './triangle.tsx'

/** What the summary of a synthetic table says about pairs of attributes. */
interface SynthSummary {
  readonly rows: number
  readonly expected: {
    readonly variation: number | null
    readonly pairs: readonly { readonly attributes: readonly string[]; readonly variation?: number }[]
  }
}
/** What that of published tables says about each. */
interface TablesSummary {
  readonly total: number
  readonly expected: { readonly counts: number; readonly zeros: number }
  readonly tables: readonly {
    readonly attributes: readonly string[]
    readonly expected: { readonly counts: number; readonly zeros: number }
  }[]
}

/** How good it is, by pair of attributes. */
export function Quality({ job }: { readonly job: Job }) {
  if (!job.summary) return null
  if (job.kind === 'synth') return <OfPairs summary={job.summary as unknown as SynthSummary} />
  return job.kind === 'marginals' ? <OfTables summary={job.summary as unknown as TablesSummary} /> : null
}

function OfPairs({ summary: { rows, expected } }: { readonly summary: SynthSummary }) {
  const shades = new Map<string, Shade>(
    expected.pairs.flatMap(({ attributes, variation }) =>
      variation === undefined ? [] : [[keyOf(attributes), { error: variation, hopeless: variation > 0.5 }]],
    ),
  )
  return (
    <section class="card stack" aria-label="Quality">
      <h2>How far it is off</h2>
      <p>
        {countText(rows)} made-up records.{' '}
        {expected.variation !== null && (
          <>
            A table of two attributes differs from the private one by about{' '}
            <strong>{percentText(expected.variation)}</strong> of the records.
          </>
        )}
      </p>
      <div class="scrolls">
        <Triangle label="Expected difference by pair of attributes" shades={shades} />
      </div>
    </section>
  )
}

function OfTables({ summary: { total, expected } }: { readonly summary: TablesSummary }) {
  return (
    <section class="card stack close" aria-label="Quality">
      <h2>How far they are off</h2>
      <p>
        Counts are off by about <strong>{percentText(expected.counts)}</strong> on average
        <span class="soft"> (tables of zeros: {percentText(expected.zeros)})</span>. Every table adds up to{' '}
        {countText(total)}.
      </p>
    </section>
  )
}
