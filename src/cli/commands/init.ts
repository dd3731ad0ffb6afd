import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { problem, ReticentError, stopIfAborted } from '../../schema/index.ts'
import { draftPolicy } from '../../trusted/engine/inspect/index.ts'
import { counted } from '../format.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'
import { initialSource, type SourceFlags } from './initial-source.ts'
import { sourceProblems } from './source-problems.ts'

/**
 * For the owner: drafts a policy from the data. Its guesses are marked "# review", since a domain that comes from the
 * data reveals something about them; nothing can be asked until the marks are gone. It never replaces a file.
 *
 *     reticent init people.csv --policy people.yaml
 *     reticent init store.duckdb --table people
 *     reticent init https://me@host:8443 --catalog lake --schema sales --table people --password env:TRINO_PASSWORD
 */
export async function init(data: string, flags: InitFlags, out: Output, signal?: AbortSignal): Promise<void> {
  const { policy } = flags
  if (existsSync(policy)) {
    throw problem(
      'usage',
      `${policy} already exists and was not replaced`,
      'Give another name with --policy FILE, or move it away.',
      { policy },
    )
  }
  const source = initialSource(data, flags)
  const place = source.kind === 'duckdb' ? relative(dirname(resolve(policy)), source.path) : source.url
  const { text, files } = await draftPolicy(source, place, signal).catch((error) => {
    stopIfAborted(signal, `${policy} was not written.`)
    throw namingTables(error, data)
  })
  if (text === undefined) throw sourceProblems({ files, missing: [], columns: [], readable: false })[0]!
  stopIfAborted(signal, `${policy} was not written.`)
  write(policy, text)
  const lines = text.split('\n')
  const marks = lines.filter((line) => line.includes('# review')).length
  const leftOut = lines.filter((line) => /^ {2}# .*: left out, /.test(line)).length
  const why =
    leftOut === 0 ? '' : `\n${counted(leftOut, 'column is', 'columns are')} left out: comments in the file say why.`
  await out.result(
    { policy, reviewMarks: marks, leftOut },
    `${policy} is drafted from the data; ${counted(marks, 'line is', 'lines are')} marked "# review".
Replace each by a publicly known value, remove the mark, then run: reticent check${policy === 'reticent.yaml' ? '' : ` --policy ${policy}`}${why}`,
  )
}

type InitFlags = GlobalOptions & SourceFlags

/** The same error, and a command that works, where a database has several tables. */
function namingTables(error: unknown, data: string): unknown {
  const { tables } = error instanceof ReticentError ? error.facts : {}
  if (!Array.isArray(tables) || tables.length === 0) return error
  const [first] = tables as string[]
  const { code, facts, message } = error as ReticentError
  const hint = `There are ${tables.join(', ')}. Choose one: reticent init ${data} --table ${first}`
  return problem(code, message, hint, facts)
}

function write(policy: string, text: string): void {
  try {
    writeFileSync(policy, text, { flag: 'wx' })
  } catch (error) {
    // Keep somebody else's file; remove our own unfinished one.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) rmSync(policy, { force: true })
    throw problem('usage', `${policy} cannot be written`, 'Does the folder exist, and may you write there?', { policy })
  }
}
