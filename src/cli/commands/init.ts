import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { ReticentError, stopIfAborted, usage } from '../../schema/index.ts'
import { draftPolicy } from '../../trusted/engine/inspect/index.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'
import { sourceProblems } from './source-problems.ts'

/**
 * For the owner: drafts a policy from the data. What it found there is marked "# review", since a domain that comes from the
 * data tells about them; nothing can be asked until the marks are gone. It never replaces a file.
 *
 *     reticent init people.csv --policy people.yaml
 *     reticent init store.duckdb --table people
 */
export async function init(data: string, flags: InitFlags, out: Output, signal?: AbortSignal): Promise<void> {
  const { policy, table, encoding } = flags
  if (existsSync(policy)) {
    throw new ReticentError(
      'usage',
      { policy },
      {
        message: `${policy} exists already and was not replaced`,
        hint: 'Give another name with --policy FILE, or move it away.',
      },
    )
  }
  const path = resolve(data)
  const source = { kind: 'duckdb', path, ...(table !== undefined && { table }), ...encodingOf(encoding) } as const
  const { text, files } = await draftPolicy(source, relative(dirname(resolve(policy)), path)).catch((error) => {
    throw namingTables(error, data)
  })
  if (text === undefined) throw sourceProblems({ files, missing: [], columns: [], readable: false })[0]!
  stopIfAborted(signal, `${policy} was not written.`)
  write(policy, text)
  const marks = text.split('\n').filter((line) => line.includes('# review')).length
  await out.result(
    { policy, reviewMarks: marks },
    `${policy} is drafted from the data; ${marks} lines are marked "# review".
Replace each by what is publicly known, remove the mark, then run: reticent check${policy === 'reticent.yaml' ? '' : ` --policy ${policy}`}`,
  )
}

interface InitFlags extends GlobalOptions {
  readonly table?: string
  readonly encoding?: string
}

/** UTF-8 need not be said. */
function encodingOf(given = 'utf-8') {
  const name = given.toLowerCase()
  if (name === 'latin-1' || name === 'windows-1252') return { encoding: name } as const
  if (name === 'utf-8') return {}
  throw usage(`the encoding ${given} is not known`, 'Use utf-8, latin-1 or windows-1252.')
}

/** The same error, and a command that works, where a database has several tables. */
function namingTables(error: unknown, data: string): unknown {
  const { tables } = error instanceof ReticentError ? error.facts : {}
  if (!Array.isArray(tables) || tables.length === 0) return error
  const [first] = tables as string[]
  const { code, facts, message } = error as ReticentError
  const hint = `There are ${tables.join(', ')}. Choose one: reticent init ${data} --table ${first}`
  return new ReticentError(code, facts, { message, hint })
}

function write(policy: string, text: string): void {
  try {
    writeFileSync(policy, text, { flag: 'wx' })
  } catch (error) {
    // Somebody else's file stays; half of ours does not.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) rmSync(policy, { force: true })
    throw new ReticentError(
      'usage',
      { policy },
      { message: `${policy} cannot be written`, hint: 'Does the folder exist, and may you write there?' },
    )
  }
}
