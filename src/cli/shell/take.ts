import { failureAtPrompt } from '../failure.ts'
import { splitStatements } from '../sql-file.ts'
import { commandNames, runCommand } from './commands.ts'
import type { ShellSession } from './session.ts'

/** Takes a line in: a command at once, a statement when it has ended. What goes wrong is said, and ends nothing. */
export async function take(session: ShellSession, line: string): Promise<void> {
  const command = session.pending === '' ? asCommand(line) : line.trim()
  if (command.startsWith('\\')) return trying(session, () => runCommand(session, command))
  const { statements, rest } = splitStatements(`${session.pending}${line}\n`)
  session.pending = rest
  for (const statement of statements) await trying(session, () => session.ask(statement))
}

/** What other prompts call it: .help, help, exit. No statement begins so. */
function asCommand(line: string): string {
  const [, dot, word, rest] = /^\s*(\.?)([a-z?][\w-]*|\?)(.*)$/is.exec(line) ?? []
  const name = word?.toLowerCase() === 'exit' ? 'quit' : word?.toLowerCase()
  const isWord = name !== undefined && ['help', 'quit'].includes(name) && /^[\s;]*$/.test(rest!)
  return dot === '.' || isWord ? `\\${name}${rest}` : line.trim()
}

/** Asks what is typed although no semicolon ended it. */
export async function finish(session: ShellSession): Promise<void> {
  if (session.pending !== '' && !session.isOver) await take(session, ';')
}

async function trying(session: ShellSession, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    session.hasFailed = true
    await (session.out.json ? session.out.failure(error) : session.out.note(inShellWords(failureAtPrompt(error))))
  }
}

/** Hints speak of options, --within 100; here they are commands: \within 100. */
const inShellWords = (text: string): string =>
  text.replace(/(?<=^|[\s(,])--([a-z-]+)/g, (option, name) => (commandNames.includes(name) ? `\\${name}` : option))
