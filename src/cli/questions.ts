import { readFileSync } from 'node:fs'
import { usage } from '../schema/index.ts'
import { statementsIn } from './sql-file.ts'

/** A file of questions is read as a whole. */
const maxCharacters = 1 << 20

/**
 * What a command is to ask: the statement that it was given, or all those in a file or on standard input (`-`), which end in
 * semicolons.
 */
export async function questionsOf(sql: string | undefined, file: string | undefined): Promise<string[]> {
  if (sql !== undefined && file !== undefined)
    throw usage('the SQL is given twice: as an argument and with -f', 'Leave out one.')
  const from = file ?? (sql === '-' ? '-' : undefined)
  if (from === undefined) {
    if (sql === undefined)
      throw usage('there is no question', 'Write the SQL in quotes, or give -f FILE, or - for standard input.')
    return [sql]
  }
  const statements = statementsIn(from === '-' ? await standardInput() : textOf(from))
  if (statements.length === 0) throw usage(`there is no SQL ${from === '-' ? 'on standard input' : `in ${from}`}`)
  return statements
}

function textOf(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw usage(`${file} cannot be read`, 'Does it exist, and may you read it?')
  }
  if (text.length > maxCharacters) throw tooLong(file)
  return text
}

async function standardInput(): Promise<string> {
  let text = ''
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin) {
    text += chunk
    if (text.length > maxCharacters) throw tooLong('standard input')
  }
  return text
}

const tooLong = (what: string) => usage(`${what} has more than ${maxCharacters} characters`, 'Ask in parts.')
