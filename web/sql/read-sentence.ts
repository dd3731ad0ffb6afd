import type { Attribute } from './attribute.ts'
import { type Comparison, type Condition, comparisons, type Measure, measures, type Sentence } from './sentence.ts'
import { nameOf, stringValue, type Token, words } from './tokens.ts'

/** What cannot be said with the sentence builder. */
class Other extends Error {}

/** Reads tokens from left to right. */
class Reader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(sql: string) {
    const tokens = words(sql)
    this.#tokens = tokens.at(-1)?.text === ';' ? tokens.slice(0, -1) : tokens
  }
  get done(): boolean {
    return this.#at >= this.#tokens.length
  }
  peek(text: string): boolean {
    return this.#tokens[this.#at]?.text.toUpperCase() === text
  }
  take(text: string): boolean {
    const found = this.peek(text)
    if (found) this.#at++
    return found
  }
  expect(text: string): void {
    if (!this.take(text)) throw new Other()
  }
  next(): Token {
    const token = this.#tokens[this.#at++]
    if (!token) throw new Other()
    return token
  }
}

/** The sentence that a statement is, if the builder can say it: the inverse of `sqlOf`, up to spelling. */
export function sentenceOf(sql: string, table: string, attributes: readonly Attribute[]): Sentence | undefined {
  try {
    return readSentence(new Reader(sql), table, attributes)
  } catch (error) {
    if (error instanceof Other) return undefined
    throw error
  }
}

function readSentence(reader: Reader, table: string, attributes: readonly Attribute[]): Sentence {
  const attribute = () => {
    const name = nameOf(reader.next())
    return attributes.find((a) => a.name === name) ?? fail()
  }
  reader.expect('SELECT')
  const shown: string[] = []
  let value = readMeasure(reader, attribute)
  while (value === undefined) {
    shown.push(attribute().name)
    reader.expect(',')
    value = readMeasure(reader, attribute)
  }
  reader.expect('FROM')
  if (nameOf(reader.next()) !== table) throw new Other()
  const where: Condition[] = []
  if (reader.take('WHERE'))
    do where.push(readCondition(reader, attribute()))
    while (reader.take('AND'))
  const by = reader.take('GROUP') ? readKeys(reader, shown, attribute) : []
  if (!reader.done || by.join() !== shown.join()) throw new Other()
  return { ...value, where, by }
}

function readMeasure(reader: Reader, attribute: () => Attribute): Pick<Sentence, 'measure' | 'of'> | undefined {
  const found = Object.entries(measures).find(([, { sql }]) => reader.peek(sql))
  if (!found) return undefined
  reader.next()
  reader.expect('(')
  const measure = found[0] as Measure
  if (measure === 'count') reader.expect('*')
  const of = measure === 'count' ? {} : { of: attribute().name }
  reader.expect(')')
  return { measure, ...of }
}

function readCondition(reader: Reader, { name, kind }: Attribute): Condition {
  const symbol = reader.next().text.replace('!=', '<>')
  const comparison = Object.entries(comparisons).find(([, text]) => text === symbol)?.[0] as Comparison | undefined
  if (!comparison) throw new Other()
  const minus = reader.take('-') ? '-' : ''
  if (kind === 'date') reader.take('DATE')
  const token = reader.next()
  const value =
    token.kind === 'string'
      ? stringValue(token)
      : token.kind === 'number'
        ? minus + token.text
        : kind === 'boolean'
          ? token.text.toLowerCase()
          : fail()
  return { attribute: name, comparison, value }
}

/** GROUP BY names, or the numbers of columns. */
function readKeys(reader: Reader, shown: readonly string[], attribute: () => Attribute): string[] {
  reader.expect('BY')
  const keys: string[] = []
  do {
    const column = shown.findIndex((_, i) => reader.peek(String(i + 1)))
    keys.push(column >= 0 && reader.next() ? shown[column]! : attribute().name)
  } while (reader.take(','))
  return keys
}

const fail = (): never => {
  throw new Other()
}
