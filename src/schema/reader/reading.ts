import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml'
import { parseRational, type Rational } from '../../numeric/index.ts'
import { nearest } from '../nearest.ts'

/** Something wrong in the file: where, and what was expected there. */
export interface Mistake {
  readonly line: number
  /** Path of keys, such as privacy.epsilon or guards[0].within; empty for the file as a whole. */
  readonly key: string
  readonly message: string
}

/** One value in the file, and where it stands. */
export interface Entry {
  readonly key: string
  readonly line: number
  readonly node: Node | null
}

/** Each alias repeats what it stands for, which may be long: a small file could mean a very large one. */
const maxAliases = 100

function aliasesIn(document: Document.Parsed): number {
  let aliases = 0
  visit(document, { Alias: () => void aliases++ })
  return aliases
}

/** The keys of a map: what each one must hold, for whoever forgot it. */
type Keys = { readonly [key: string]: string }

/** A value as a mistake repeats it; a URL is not repeated, since it may hold a password. */
const shown = (text: string) =>
  text.includes('://') ? 'a URL' : JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text)
const step = (key: string) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key))

/**
 * A YAML text being read. Every question about it returns undefined if the answer is wrong and notes the mistake, so
 * that one reading finds all of them. Scalars are taken by their text: no number ever passes through a double.
 */
export class Reading {
  readonly root: Entry
  readonly mistakes: Mistake[] = []
  private readonly document: Document.Parsed
  private readonly lines = new LineCounter()

  constructor(text: string) {
    const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, lineCounter: this.lines } as const
    try {
      this.document = parseDocument(text, options)
    } catch {
      // The parser's stack has an end.
      this.document = parseDocument('', options)
      this.mistake({ key: '', line: 1 }, 'the file cannot be parsed; it may be nested too deeply')
    }
    this.root = { key: '', line: 1, node: this.document.contents }
    if (aliasesIn(this.document) > maxAliases)
      this.mistake({ key: '', line: 1 }, `at most ${maxAliases} aliases (*name) are allowed`)
    for (const fault of [...this.document.errors, ...this.document.warnings]) {
      const { line } = this.lines.linePos(fault.pos[0])
      this.mistake({ key: '', line }, `this is not valid YAML: ${fault.message}`)
    }
  }

  mistake(at: { key: string; line: number }, message: string): undefined {
    this.mistakes.push({ line: at.line, key: at.key, message })
  }

  /** A map's entries by key, in the file's order. */
  map(entry: Entry, expected: string): Map<string, Entry> | undefined {
    const node = this.resolved(entry)
    if (!isMap(node)) return this.unexpected(entry, expected)
    const found = new Map<string, Entry>()
    for (const pair of node.items as Pair<Node, Node | null>[]) {
      const line = this.lineOf(pair.key, entry.line)
      if (!isScalar(pair.key)) {
        this.mistake({ key: entry.key, line }, 'expected a plain key')
        continue
      }
      const name = String(pair.key.value)
      const key = entry.key === '' ? step(name) : `${entry.key}.${step(name)}`
      const before = found.get(name)
      if (before) this.mistake({ key, line }, `the same key is already in line ${before.line} already`)
      else found.set(name, { key, line, node: pair.value })
    }
    return found
  }

  /** A map with these keys alone, all of `required` among them; a mistyped key is one mistake, not a missing one too. */
  fields(entry: Entry, required: Keys, optional: readonly string[]): Map<string, Entry> | undefined {
    const known = [...Object.keys(required), ...optional]
    const found = this.map(entry, `a map with the keys ${known.join(', ')}`)
    if (!found) return undefined
    const meantKeys = new Set<string | undefined>()
    for (const [name, at] of found) {
      if (known.includes(name)) continue
      const meant = nearest(name, known)
      meantKeys.add(meant)
      this.mistake(at, `unknown key; ${meant ? `did you mean ${meant}?` : `expected ${known.join(', ')}`}`)
    }
    for (const [name, what] of Object.entries(required)) {
      if (!found.has(name) && !meantKeys.has(name)) this.mistake(entry, `${name} is missing: ${what}`)
    }
    return found
  }

  items(entry: Entry, expected: string): Entry[] | undefined {
    const node = this.resolved(entry)
    if (!isSeq(node)) return this.unexpected(entry, expected)
    return (node.items as (Node | null)[]).map((item, i) => ({
      key: `${entry.key}[${i}]`,
      line: this.lineOf(item, entry.line),
      node: item,
    }))
  }

  /** A text that is not empty. */
  text(entry: Entry, expected: string): string | undefined {
    const scalar = this.scalar(entry)
    if (scalar && !isNull(scalar) && scalar.value !== '') return scalar.value
    return this.mistake(entry, `expected ${expected}`)
  }

  /** A number as it is written, exactly. */
  number(entry: Entry, expected: string, allowed: (value: Rational) => boolean): Rational | undefined {
    const scalar = this.scalar(entry)
    const decimal = scalar?.type === 'PLAIN' && !scalar.value.includes('/')
    const value = decimal ? parseRational(scalar.value) : undefined
    return value && allowed(value) ? value : this.unexpected(entry, expected)
  }

  /** One of a few words. */
  word<W extends string>(entry: Entry, words: readonly W[]): W | undefined {
    const scalar = this.scalar(entry)
    const found = words.find((w) => w === scalar?.value)
    if (found !== undefined) return found
    const meant = scalar && words.length > 1 && nearest(scalar.value, words)
    return this.unexpected(entry, `${words.join(' or ')}${meant ? ` (did you mean ${meant}?)` : ''}`)
  }

  flag(entry: Entry): boolean | undefined {
    const word = this.word(entry, ['true', 'false'])
    return word && word === 'true'
  }

  scalar(entry: Entry): Scalar<string> | undefined {
    const node = this.resolved(entry)
    return isScalar(node) ? (node as Scalar<string>) : undefined
  }

  isList(entry: Entry): boolean {
    return isSeq(this.resolved(entry))
  }

  isMap(entry: Entry): boolean {
    return isMap(this.resolved(entry))
  }

  private unexpected(entry: Entry, expected: string): undefined {
    const node = this.resolved(entry)
    const found = isMap(node)
      ? 'a map'
      : isSeq(node)
        ? 'a list'
        : isScalar(node)
          ? shown(String(node.value))
          : 'nothing'
    const quoted = isScalar(node) && node.type !== 'PLAIN' ? ' in quotes' : ''
    return this.mistake(entry, `expected ${expected}, found ${found === '""' && !quoted ? 'nothing' : found}${quoted}`)
  }

  private resolved({ node }: Entry): Node | undefined {
    return isAlias(node) ? node.resolve(this.document) : (node ?? undefined)
  }

  private lineOf(node: Node | null, otherwise: number): number {
    return node?.range ? this.lines.linePos(node.range[0]).line : otherwise
  }
}

/** YAML's ways to write nothing. */
export const isNull = (scalar: Scalar<string>): boolean =>
  scalar.type === 'PLAIN' && /^(~|null|Null|NULL)?$/.test(scalar.value)
