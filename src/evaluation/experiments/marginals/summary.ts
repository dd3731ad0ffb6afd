import { mean, median } from '../../../numeric/index.ts'
import { isMostlyNoise } from '../../../release/index.ts'
import type { ToldErrors } from './told.ts'

/** As good as true. */
const factor = 1.5
const isTrue = (told: number, is: number): boolean => told <= factor * is && is <= factor * told
const share = (of: readonly boolean[]): number => of.filter(Boolean).length / of.length

/** How true several releases of the same tables are: means, and shares of them. */
export interface Summary {
  readonly told: number
  readonly is: number
  readonly zeros: number
  readonly overall: number
  readonly median: number
  readonly tables: number
  readonly measured: number
  readonly best: number
  readonly warned: number
  readonly false: number
  readonly silent: number
}

export function summary(releases: readonly ToldErrors[]): Summary {
  const over = (kind: 'counts' | 'measured' | 'zeros') =>
    releases.map((release) => ({
      told: mean(release[kind].map(({ told }) => told)),
      is: mean(release[kind].map(({ is }) => is)),
    }))
  const [counts, measured, zeros] = [over('counts'), over('measured'), over('zeros')]
  const usual = releases[0]!.counts.map((_, table) => mean(releases.map((release) => release.counts[table]!.is)))
  const warned = counts.map(({ told }, i) => isMostlyNoise(told, zeros[i]!.told))
  const isNoise = counts.map(({ is }, i) => is > zeros[i]!.is)
  const sum = counts.reduce((all, { is }) => all + is, 0)
  return {
    told: mean(counts.map(({ told }) => told)),
    is: mean(counts.map(({ is }) => is)),
    zeros: mean(zeros.map(({ is }) => is)),
    overall: share(counts.map(({ told, is }) => isTrue(told, is))),
    median: share(releases.map((release) => isTrue(release.median, median(release.counts.map(({ is }) => is))))),
    tables: share(releases.flatMap((release) => release.counts.map(({ told }, table) => isTrue(told, usual[table]!)))),
    measured: share(measured.map(({ told, is }) => isTrue(told, is))),
    best: share(counts.map(({ is }) => isTrue((sum - is) / (counts.length - 1), is))),
    warned: share(warned),
    false: share(warned.map((is, i) => is && !isNoise[i]!)),
    silent: share(warned.map((is, i) => !is && isNoise[i]!)),
  }
}
