import { ServerRefusal } from '../../src/client/index.ts'
import { wordsOf } from '../parts/failure.tsx'
import { quotedName } from '../sql/attribute.ts'
import { tokensOf } from '../sql/tokens.ts'

/** Where in the statement something is wrong, and what could stand there. */
interface Mistake {
  readonly at: number
  readonly title: string
  readonly hint: string | undefined
  /** A statement with the mistake mended, and the piece that changed. */
  readonly mended?: { readonly sql: string; readonly piece: string }
}

/** Reads a refusal that is about a place in the statement. */
export function mistakeIn(error: unknown, sql: string): Mistake | undefined {
  if (!(error instanceof ServerRefusal)) return undefined
  const { line, column, nearest, attribute } = error.facts
  if (typeof line !== 'number' || typeof column !== 'number') return undefined
  const before = sql.split('\n').slice(0, line - 1)
  const at = before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1
  const { title, hint: advice } = wordsOf(error)
  // The whole grammar is no help to somebody who is in the middle of a word.
  const hint = error.code === 'sql-syntax' ? undefined : advice
  const token = tokensOf(sql).find(({ start, text }) => start <= at && at < start + text.length)
  if (typeof nearest !== 'string' || !token) return { at, title, hint }
  const piece = attribute === undefined ? quotedName(nearest) : `'${nearest.replaceAll("'", "''")}'`
  const end = token.start + token.text.length
  return { at, title, hint, mended: { sql: sql.slice(0, token.start) + piece + sql.slice(end), piece } }
}

/** Says it below the place, with the suggestion to click. */
export function MistakeLine({
  mistake,
  change,
}: {
  readonly mistake: Mistake
  readonly change: (sql: string) => void
}) {
  const { title, hint, mended } = mistake
  return (
    <p>
      <span class="is-refused">{title}</span>{' '}
      {mended ? (
        <>
          Did you mean{' '}
          <button type="button" class="link mono" onClick={() => change(mended.sql)}>
            {mended.piece}
          </button>
          ?
        </>
      ) : (
        <span class="soft">{hint}</span>
      )}
    </p>
  )
}
