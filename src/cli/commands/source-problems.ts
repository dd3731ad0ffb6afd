import { problem, type ReticentError } from '../../schema/index.ts'
import type { FileReport, PolicyReport } from '../../trusted/engine/inspect/index.ts'
import { number } from '../format.ts'

const unreadable = (message: string, hint: string) => problem('source-unreadable', message, hint)

/** What keeps a source from being read. For its owner: line numbers and counts come from the data. */
export function sourceProblems(
  report: Pick<PolicyReport, 'files' | 'missing' | 'columns' | 'readable'>,
): ReticentError[] {
  const problems = report.files.flatMap(fileProblems)
  if (report.missing.length > 0) {
    problems.push(
      unreadable(
        `the source has no column ${report.missing.map((c) => JSON.stringify(c)).join(', ')}`,
        `Its columns are ${report.columns.join(', ')}.`,
      ),
    )
  }
  if (problems.length === 0 && !report.readable) {
    problems.push(unreadable('the source has errors and cannot be read completely', 'Is the file damaged?'))
  }
  return problems
}

/** One byte a character is converted on reading, if the owner says so. */
const encodingHint = (suspected: string): string =>
  suspected.includes('1252')
    ? "Say so with `encoding: windows-1252` in the policy's source, or draft it with: reticent init FILE --encoding windows-1252."
    : 'Save the file as UTF-8, for example with iconv.'

function fileProblems(f: FileReport): ReticentError[] {
  const at = (line: number) => `${f.path}, line ${line}`
  const found: [string, string][] = []
  if (f.notUtf8) {
    found.push([`${at(f.notUtf8.line)}: not UTF-8 (${f.notUtf8.suspected}?)`, encodingHint(f.notUtf8.suspected)])
  }
  if (f.badQuote)
    found.push([
      `${at(f.badQuote)}: a quote is never closed, is closed inside a field, or follows spaces`,
      'Write a quote inside a field twice: "".',
    ])
  if (f.ragged > 0) {
    found.push([
      `${at(f.firstRagged!)}: ${number(f.ragged)} records have more or fewer fields than the header`,
      'A field with a comma or a new line needs quotes.',
    ])
  }
  if (f.mixedEnds) {
    found.push([
      `${at(f.mixedEnds)}: this line ends differently from the lines before it; a single carriage return does not count as a line end`,
      'End all lines with LF or CRLF; a field with a carriage return needs quotes.',
    ])
  }
  if (f.tooLong) found.push([`${at(f.tooLong)}: a record is too long`, 'Is a quote missing?'])
  return found.map(([message, hint]) => unreadable(message, hint))
}
