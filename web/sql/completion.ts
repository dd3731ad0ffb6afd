import { type Attribute, isOrdered, listed, literal, quotedName } from './attribute.ts'
import { functions, keywords, nameOf, type Token, tokensOf } from './tokens.ts'

/** One thing that could be written at the caret. */
export interface Completion {
  readonly label: string
  /** Number of cells, or what it is. */
  readonly note: string
  /** Takes the place of the text from `from` to the caret. */
  readonly text: string
  readonly from: number
}

const most = 8
const comparisons = new Set(['=', '<>', '!=', 'IN', '(', ',', 'LIKE'])

/** The attribute whose value is being written: `state = 'S`, `state IN ('SP', `. */
function attributeBefore(tokens: readonly Token[], attributes: readonly Attribute[]): Attribute | undefined {
  for (let i = tokens.length - 1; i >= 0; i--) {
    const token = tokens[i]!
    const name = nameOf(token)
    const found = attributes.find((a) => a.name === name)
    if (found) return i < tokens.length - 1 ? found : undefined
    if (token.kind !== 'string' && !comparisons.has(token.text.toUpperCase())) return undefined
  }
  return undefined
}

/** Whether the value stands where one is expected: after a comparison, or in a list that follows IN. */
const expectsValue = (tokens: readonly Token[]): boolean => {
  const last = tokens.at(-1)?.text.toUpperCase() ?? ''
  return comparisons.has(last)
}

/** Values of an attribute that match what was typed: those that begin so, then those that hold it somewhere. */
function values(a: Attribute, typed: string, from: number, known: readonly string[]): Completion[] {
  const wanted = typed.replace(/^'/, '').toLowerCase()
  const place = (value: string) => value.toLowerCase().indexOf(wanted)
  const matching = known.filter((value) => place(value) >= 0)
  return [...matching.filter((value) => place(value) === 0), ...matching.filter((value) => place(value) > 0)]
    .slice(0, most)
    .map((value) => ({ label: value, note: a.name, text: literal(a, value), from }))
}

const noteOf = (a: Attribute): string => `${a.cells.toLocaleString('en-US')} cells`

function names(
  typed: string,
  from: number,
  attributes: readonly Attribute[],
  table: string,
  before: string,
): Completion[] {
  const wanted = typed.replace(/^"/, '').toLowerCase()
  const starts = (label: string) => label.toLowerCase().startsWith(wanted)
  const ofAttributes = attributes
    .filter((a) => starts(a.name))
    .map((a) => ({ label: a.name, note: noteOf(a), text: quotedName(a.name), from }))
  if (before === 'FROM')
    return starts(table) ? [{ label: table, note: 'the table', text: quotedName(table), from }] : []
  const isCall = before === '('
  const ofFunctions = isCall
    ? []
    : functions
        .filter(starts)
        .map((f) => ({ label: `${f}(…)`, note: 'function', text: f === 'COUNT' ? 'COUNT(*)' : `${f}(`, from }))
  const ofKeywords = isCall ? [] : keywords.filter(starts).map((k) => ({ label: k, note: '', text: `${k} `, from }))
  return [...ofAttributes, ...(before === 'SELECT' || before === ',' ? ofFunctions : []), ...ofKeywords].slice(0, most)
}

/** What is known at the caret: what is being written, and the value of which attribute it is, if of any. */
interface Place {
  readonly typed: string
  readonly from: number
  readonly before: string
  readonly attribute?: Attribute
}

/** Where the caret stands. */
export function placeAt(sql: string, caret: number, attributes: readonly Attribute[]): Place {
  const all = tokensOf(sql.slice(0, caret)).filter(({ kind }) => kind !== 'comment')
  const last = all.at(-1)
  const isOpen = last !== undefined && isUnfinished(last)
  const before = (isOpen ? all.slice(0, -1) : all).filter(({ kind }) => kind !== 'space')
  const attribute = expectsValue(before) ? attributeBefore(before, attributes) : undefined
  return {
    typed: isOpen ? last.text : '',
    from: isOpen ? last.start : caret,
    before: before.at(-1)?.text.toUpperCase() ?? '',
    ...(attribute && !isOrdered(attribute) && last?.kind !== 'number' && { attribute }),
  }
}

const isUnfinished = ({ kind, text }: Token): boolean =>
  kind === 'word' || kind === 'quoted' || (kind === 'string' && !/^'(?:[^']|'')*'$/.test(text))

/**
 * What could be written there: values after a comparison, attributes first elsewhere, then SQL's own words. `known` are values of
 * the attribute that the page knows beyond those in its description.
 */
export function completions(
  place: Place,
  attributes: readonly Attribute[],
  table: string,
  known: readonly string[] = place.attribute ? listed(place.attribute) : [],
): Completion[] {
  const { typed, from, before, attribute } = place
  if (attribute) return values(attribute, typed, from, known)
  if (typed === '' || typed.startsWith("'")) return []
  const found = names(typed, from, attributes, table, before)
  return found.some(({ text }) => text.trim() === typed) ? [] : found
}
