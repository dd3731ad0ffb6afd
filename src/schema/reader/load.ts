import { dirname, resolve } from 'node:path'
import { problem, ReticentError } from '../error.ts'
import type { Policy } from '../policy.ts'
import { universe } from '../universe.ts'
import { readAttributes } from './attributes.ts'
import { readLedger } from './ledger.ts'
import { reservedWords } from './names.ts'
import { readGuards, readPrivacy } from './privacy.ts'
import { type Entry, type Mistake, Reading } from './reading.ts'
import { reviewLines } from './review.ts'
import { readSource } from './source.ts'
import { readText } from './text.ts'

const sections = {
  dataset: 'the name of the table in SQL',
  source: 'where the table is, such as { duckdb: data.csv }',
  privacy: 'what is promised, such as { unit: row, epsilon: 1.0 }',
  attributes: 'the columns that may be asked about, with their domains',
  ledger: 'where the budget is kept, such as { sqlite: data.ledger }',
}

/** Reads and checks a policy file; all its mistakes are reported at once. Paths in it are relative to its folder. */
export async function loadPolicy(file: string): Promise<Policy> {
  const path = resolve(file)
  const { text, reading } = await readFile(file)
  const folder = dirname(path)
  const fields = reading.fields(reading.root, sections, ['guards'])
  const on = <T>(key: string, reader: (at: Entry) => T): T | undefined =>
    fields?.has(key) ? reader(fields.get(key)!) : undefined
  const dataset = on('dataset', (at) => readDataset(reading, at))
  const source = on('source', (at) => readSource(reading, at, folder))
  const privacy = on('privacy', (at) => readPrivacy(reading, at, source))
  const attributes = await on('attributes', (at) => readAttributes(reading, at, folder))
  const guards = on('guards', (at) => readGuards(reading, at)) ?? []
  const ledger = on('ledger', (at) => readLedger(reading, at, folder, dataset))
  if (reading.mistakes.length > 0) throw invalid(file, reading.mistakes)
  return {
    file: path,
    dataset: dataset!,
    source: source!,
    privacy: privacy!,
    universe: universe(attributes!),
    guards,
    ledger: ledger!,
    reviewLines: reviewLines(text),
  }
}

async function readFile(file: string): Promise<{ text: string; reading: Reading }> {
  const read = await readText(resolve(file))
  if ('fault' in read) {
    if (read.missing) throw missing(file)
    throw invalid(file, [{ line: read.line, key: '', message: read.fault }])
  }
  const reading = new Reading(read.text)
  if (reading.mistakes.length > 0) throw invalid(file, reading.mistakes)
  if (reading.root.node === null) throw invalid(file, [{ line: 1, key: '', message: 'the file is empty' }])
  return { text: read.text, reading }
}

function readDataset(reading: Reading, entry: Entry): string | undefined {
  const expected = 'a name for SQL: letters, digits and _, not beginning with a digit, at most 63 of them'
  const name = reading.text(entry, expected)
  if (name === undefined) return undefined
  if (!/^[A-Za-z_]\w{0,62}$/.test(name)) return reading.mistake(entry, `expected ${expected}`)
  return reservedWords.has(name.toLowerCase()) ? reading.mistake(entry, `${name} is a reserved word of SQL`) : name
}

const missing = (file: string) =>
  problem(
    'policy-missing',
    `there is no policy file ${file}`,
    'Draft one with: reticent init DATA. Or name one with: --policy FILE.',
    { file },
  )

function invalid(file: string, found: readonly Mistake[]): ReticentError {
  const mistakes = found.toSorted((a, b) => a.line - b.line).map(({ line, key, message }) => ({ line, key, message }))
  return new ReticentError(
    'policy-invalid',
    { file, mistakes },
    {
      message: `the policy file ${file} has ${found.length === 1 ? 'a mistake' : `${found.length} mistakes`}`,
      detail: mistakes.map((m) => `line ${m.line}${m.key && `, ${m.key}`}: ${m.message}`).join('\n'),
      hint: 'Correct these lines and run: reticent check.',
    },
  )
}
