import { ReticentError } from '../schema/index.ts'
import { failureJson, failureText } from './failure.ts'
import { wrapped } from './format.ts'
import { jsonPieces } from './json-pieces.ts'
import type { OutputFormat } from './output-format.ts'
import { withPolicy } from './same-policy.ts'
import { visible, visibleJson } from './visible.ts'
import { type Write, writerTo } from './write.ts'

/** Text for people: in one piece, or line by line where it may be long. */
export type Text = string | Iterable<string>

/**
 * Where a command's words go: results to stdout, the rest to stderr; with --json one object to stdout. Whatever others wrote
 * (statements, names, values) may be in them: nothing of it reaches the terminal as a control character.
 */
export interface Output {
  readonly json: boolean
  readonly format: OutputFormat
  /** How many characters a line for people may have: those of the terminal, or 80. */
  readonly width: number
  /** The result: as an object for programs, as text for people, and as lines of CSV where there are any. */
  result(value: unknown, text: Text, csv?: Iterable<string>): Promise<void>
  /** A part of the result that people see before the rest. */
  part(text: Text): Promise<void>
  /** Something a person would like to know besides. */
  note(text: Text): Promise<void>
  failure(error: unknown): Promise<void>
}

/** The output of this process, for a command that names a policy. Its standard streams are opened once. */
export function output(format: OutputFormat, policy?: string): Output {
  const json = format === 'json'
  const [toResult, toNotes] = [writerTo(process.stdout), writerTo(process.stderr)]
  const silent = async () => {}
  return {
    json,
    format,
    width: process.stdout.columns || 80,
    result: (value, text, csv) => {
      if (json) return toResult(jsonLine(value))
      return toResult(format === 'csv' && csv ? lines(csv) : lines(text, process.stdout.columns))
    },
    part: json ? silent : (text) => toResult(lines(text, process.stdout.columns)),
    note: json ? silent : (text) => toNotes(lines(text, process.stderr.columns)),
    failure: (error) => failed(error, { json, policy }, toResult, toNotes),
  }
}

/** On a terminal, which has a width, words are not broken at its edge. One that says 0 does not know its own. */
function* lines(text: Text, width = 0): Iterable<string> {
  for (const line of typeof text === 'string' ? [text] : text) yield `${wrapped(visible(line), width || Infinity)}\n`
}

function* jsonLine(value: unknown): Iterable<string> {
  for (const piece of jsonPieces(value)) yield visibleJson(piece)
  yield '\n'
}

interface Wording {
  readonly json: boolean
  readonly policy: string | undefined
}

function failed(error: unknown, { json, policy }: Wording, toResult: Write, toNotes: Write): Promise<void> {
  // A refusal brings the best free answer along.
  const free = error instanceof ReticentError && 'free' in error && error.free ? { free: error.free } : {}
  // Where nothing can be written at all, the exit status has to do.
  const words = withPolicy(failureText(error), policy)
  const asText = () => toNotes(lines(words, process.stderr.columns)).catch(() => undefined)
  return json ? toResult(jsonLine({ error: failureJson(error), ...free })).catch(asText) : asText()
}
