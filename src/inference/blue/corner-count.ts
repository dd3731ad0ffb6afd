import { stepCount } from './column.ts'
import type { Weights } from './compile.ts'
import type { ScalarAnswer } from './noisy-answers.ts'

/** Queries of more corners are sums of products over several wide attributes, or look at very many. */
const vast = 2 ** 20

const cornersOf = ({ terms }: Weights): number =>
  terms.reduce((sum, { columns }) => sum + columns.reduce((product, column) => product * stepCount(column), 1), 0)

/** The measurements of fewer corners, where others have very many; none where there are no others. */
export function plainest({
  marginals,
  answers,
}: {
  readonly marginals: ReadonlyMap<string, unknown>
  readonly answers: ReadonlyMap<string, readonly ScalarAnswer[]>
}): Set<string> {
  const plain = [...answers].filter(([, list]) => list.every(({ weights }) => cornersOf(weights) <= vast))
  return plain.length === answers.size ? new Set() : new Set([...plain.map(([id]) => id), ...marginals.keys()])
}
