import type { Node } from '@pgsql/types'
import { ReticentError } from '../../schema/index.ts'
import { insteadOfDialect } from './alternatives.ts'
import { faultAt, indexOfByte, indexOfCharacter, supported } from './fault.ts'
import { inPostgresGrammar } from './source/shorthand.ts'

/** Longer statements are refused before they are parsed, so that parsing takes milliseconds at most. */
export const maxBytes = 16_384

const refuse = (message: string, hint?: string) =>
  new ReticentError('sql-syntax', {}, { message, ...(hint && { hint }) })

/** Loads PostgreSQL's parser on first use only: most commands never need it. Finding it again takes longer than a parse. */
function parser() {
  loaded ??= load()
  return loaded
}
let loaded: ReturnType<typeof load> | undefined

async function load() {
  const pg = await import('libpg-query')
  await pg.loadModule()
  return pg
}

/** The one statement in the text, as PostgreSQL's own grammar reads it. */
export async function parseOne(text: string): Promise<Node> {
  if (text.includes('\0')) throw refuse('the statement contains a NUL character')
  if (new TextEncoder().encode(text).length > maxBytes)
    throw refuse(
      `the statement is longer than ${maxBytes} bytes`,
      'Write lists of values as ranges, or split the question.',
    )
  if (text.trim() === '') throw refuse('the statement is empty', supported)
  const pg = await parser()
  const [first, second] = read(pg, text)
  if (!first?.stmt) throw refuse('the statement is empty', supported)
  if (second)
    throw faultAt(
      text,
      indexOfByte(text, second.stmt_location ?? 0),
      'sql-unsupported',
      'only one statement can be asked at a time',
      'Ask each statement by itself.',
    )
  return first.stmt
}

function read(pg: Awaited<ReturnType<typeof parser>>, text: string) {
  try {
    return pg.parseSync(inPostgresGrammar(text)).stmts ?? []
  } catch (error) {
    const details = pg.hasSqlDetails(error) ? error.sqlDetails : undefined
    // Beside syntax errors the parser itself may give up, on an expression nested too deeply for it.
    if (!details) throw refuse('the statement cannot be parsed', 'It may be nested too deeply.')
    const index = indexOfCharacter(text, Math.max(0, details.cursorPosition))
    throw faultAt(
      text,
      index,
      'sql-syntax',
      details.message,
      insteadOfDialect(text) ?? `The grammar is that of PostgreSQL. ${supported}`,
    )
  }
}
