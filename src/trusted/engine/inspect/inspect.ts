import type { Source } from '../../../schema/index.ts'
import type { FileReport } from '../sql/index.ts'
import { type ColumnReport, columnReport } from './column.ts'
import { type Inspected, inspected } from './session.ts'

interface Inspection {
  readonly files: readonly FileReport[]
  /** Whether every record can be read; if not, nothing else is known. */
  readonly readable: boolean
  readonly rows: number
  readonly columns: readonly ColumnReport[]
}

/**
 * Looks at a source for its owner alone: counts, bounds and values in the report are exact and private. Nothing of it
 * may reach an analyst; cli/ alone may import it.
 */
export async function inspect(source: Source, signal?: AbortSignal): Promise<Inspection> {
  const look = async (from: Inspected) => {
    // Every column is looked at several times: a text is parsed once.
    const s = from.isDear ? await from.kept() : from
    const columns: ColumnReport[] = []
    for (const [name, column] of s.columns) columns.push(await columnReport(name, column, s))
    return { rows: (await s.numbers({ rows: 'count(*)' })).rows!, columns }
  }
  const { files, found } = await inspected(source, look, signal)
  return { files, readable: found !== undefined, ...(found ?? { rows: 0, columns: [] }) }
}
