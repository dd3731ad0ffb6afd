import { divide, one, type Rational, zero } from '../../../numeric/index.ts'
import type { LinearQuery } from '../../linear-query.ts'
import type { Expression } from '../statement.ts'
import type { Result } from './result.ts'

/** A group's share of a total that it is part of lies between 0 and 1, whatever the noise says. */
export function withinShare({ parts }: Result, e: Expression): Expression {
  if (e.kind !== 'quotient') return e
  const [above, below] = [multipleOf(e.left), multipleOf(e.right)]
  if (above?.of.kind !== 'part' || below?.of.kind !== 'window-sum') return e
  const isShare = below.of.part === above.of.part && below.of.includesRow && !below.of.isMean
  if (!isShare || !isNeverNegative(parts.queries[above.of.part]!)) return e
  const whole = divide(above.times, below.times)
  return { kind: 'clip', of: e, low: whole.num < 0n ? whole : zero, high: whole.num < 0n ? zero : whole }
}

function multipleOf(e: Expression): { of: Expression; times: Rational } | undefined {
  if (e.kind === 'product' && e.left.kind === 'constant') return { of: e.right, times: e.left.value }
  return e.kind === 'part' || e.kind === 'window-sum' ? { of: e, times: one } : undefined
}

/** Whether no record can take anything away. */
function isNeverNegative({ terms }: LinearQuery): boolean {
  return terms.every(({ coefficient, factors }) =>
    [coefficient, ...Object.values(factors).map((f) => leastOf(f))].every((least) => least >= 0),
  )
}

function leastOf(f: LinearQuery['terms'][number]['factors'][string]): number {
  if (f.kind === 'table') return f.values.reduce((least, value) => Math.min(least, value), 0)
  if (f.kind !== 'value' || f.power === 2) return 0
  return Math.min(f.slope * f.from + f.shift, f.slope * f.to + f.shift)
}
