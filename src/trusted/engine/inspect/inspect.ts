import { ReticentError, type Source } from '../../../schema/index.ts'
import { resolveFiles } from '../duckdb/files.ts'
import { type DuckSource, records } from '../duckdb/relation.ts'
import { type ColumnReport, columnReport } from './column.ts'
import { countsAgree, type FileReport, fileReports, look } from './open.ts'

export interface Inspection {
  readonly files: readonly FileReport[]
  /** Whether every record can be read; if not, nothing else is known. */
  readonly readable: boolean
  readonly rows: number
  readonly columns: readonly ColumnReport[]
}

export function fileSource(source: Source): DuckSource {
  if (source.kind === 'duckdb') return source
  throw new ReticentError('not-supported', { source: source.kind }, { message: 'only files can be inspected yet' })
}

/**
 * Looks at a source for its owner alone: counts, bounds and values in the report are exact and private. Nothing of it
 * may reach an analyst; cli/ alone may import it.
 */
export async function inspect(given: Source): Promise<Inspection> {
  const source = fileSource(given)
  const files = await fileReports(await resolveFiles(source.path))
  const unread: Inspection = { files, readable: false, rows: 0, columns: [] }
  if (files.some((f) => !f.wellFormed)) return unread
  return look(source, async (l) => {
    try {
      if (!(await countsAgree(l, source, files))) return unread
      const columns: ColumnReport[] = []
      for (const [name, column] of l.columns) columns.push(await columnReport(name, column, l))
      const { rows } = await l.numbers({ rows: 'count(*)' }, records)
      return { files, readable: true, rows: rows!, columns }
    } catch (error) {
      if (error instanceof ReticentError) throw error
      return unread
    }
  })
}
