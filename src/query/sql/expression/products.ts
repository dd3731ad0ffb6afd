/** A product of integer tables, one per axis. */
type Product = readonly Float64Array[]

/**
 * A table of integers over several axes, the last running fastest, as a sum of few products. x·y is one, x + y is two; else there is one
 * per group of rows that are multiples of each other, along the axis that has fewest. Undefined where more than `limit` are needed.
 */
export function productsOf(table: Float64Array, sizes: readonly number[], limit: number): Product[] | undefined {
  if (table.every((v) => v === 0)) return []
  if (sizes.length === 1) return [[table]]
  let best: Product[] | undefined
  for (let axis = 0; axis < sizes.length; axis++) {
    const rows = rowsAlong(table, sizes, axis)
    const rest = sizes.filter((_, i) => i !== axis)
    const found = added(rows, rest, limit) ?? multiplied(rows, rest, best ? best.length - 1 : limit)
    if (found && (!best || found.length < best.length)) best = found.map((product) => placed(product, axis))
    if (best && best.length <= 2) return best
  }
  return best
}

/** The axis that was taken out comes first; it goes back to its place. */
const placed = ([first, ...rest]: Product, axis: number): Product => rest.toSpliced(axis, 0, first!)

function rowsAlong(table: Float64Array, sizes: readonly number[], axis: number): Float64Array[] {
  const stride = sizes.slice(axis + 1).reduce((n, size) => n * size, 1)
  const size = sizes[axis]!
  const rows = Array.from({ length: size }, () => new Float64Array(table.length / size))
  for (let i = 0; i < table.length; i++) {
    const code = Math.floor(i / stride) % size
    rows[code]![Math.floor(i / (stride * size)) * stride + (i % stride)] = table[i]!
  }
  return rows
}

/** Rows that differ by a constant from each other, where they are not all 0: a(x)·1(y) + 1(x)·b(y). */
function added(rows: readonly Float64Array[], rest: readonly number[], limit: number): Product[] | undefined {
  const live = rows.map((row) => row.some((v) => v !== 0))
  const columns = rows[0]!.map((_, j) => (rows.some((row) => row[j] !== 0) ? 1 : 0))
  const base = rows[live.indexOf(true)]!
  const first = columns.indexOf(1)
  const shifts = Float64Array.from(rows, (row, i) => (live[i] ? row[first]! - base[first]! : 0))
  for (const [i, row] of rows.entries())
    if (live[i])
      for (let j = 0; j < row.length; j++) if (row[j] !== (columns[j] ? base[j]! + shifts[i]! : 0)) return undefined
  const lower = productsOf(base, rest, limit)
  const support = productsOf(columns, rest, limit)
  if (!lower || support?.length !== 1) return undefined
  const indicator = Float64Array.from(live, Number)
  const parts = lower.map((product) => [indicator, ...product])
  return shifts.some((v) => v !== 0) ? [[shifts, ...support[0]!], ...parts] : parts
}

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b))

/** Rows that are multiples of one another go together. */
function multiplied(rows: readonly Float64Array[], rest: readonly number[], limit: number): Product[] | undefined {
  const groups = new Map<string, { direction: Float64Array; times: Float64Array }>()
  for (const [code, row] of rows.entries()) {
    const divisor = row.reduce(gcd, 0)
    if (divisor === 0) continue
    const sign = row.find((v) => v !== 0)! < 0 ? -1 : 1
    const direction = row.map((v) => (v === 0 ? 0 : (sign * v) / divisor))
    const key = direction.join()
    const group = groups.get(key) ?? { direction, times: new Float64Array(rows.length) }
    group.times[code] = sign * divisor
    groups.set(key, group)
    if (groups.size > limit) return undefined
  }
  const found: Product[] = []
  for (const { direction, times } of groups.values()) {
    const lower = productsOf(direction, rest, limit - found.length)
    if (!lower || found.length + lower.length > limit) return undefined
    found.push(...lower.map((product) => [times, ...product]))
  }
  return found
}
