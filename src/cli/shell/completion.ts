import { type Attribute, label, type Policy } from '../../schema/index.ts'
import { visibleCell } from '../visible.ts'
import { commandNames } from './commands.ts'

const keywords =
  'SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET AND OR NOT IN BETWEEN LIKE ILIKE IS NULL AS ASC DESC FILTER CASE WHEN THEN ELSE END COUNT SUM AVG VARIANCE STDDEV COVAR_POP FLOOR CEIL EXTRACT DATE_TRUNC WIDTH_BUCKET'.split(
    ' ',
  )

/** An attribute, an operator, and a text that is not closed yet: `state IN ('CA', 'T`. */
const openText =
  /("(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_]*)\s*(?:=|<>|!=|[<>]=?|(?:NOT\s+)?(?:IN\s*\((?:\s*'(?:[^']|'')*'\s*,)*|I?LIKE))\s*'((?:[^']|'')*)$/iu

/** What may come where the cursor is, and what of it is typed already: what a readline completer returns. */
export function completions(line: string, { dataset, universe }: Policy): [string[], string] {
  const command = /^\s*\\(\S*)$/.exec(line)
  if (command)
    return [
      startingWith(
        commandNames.map((name) => `\\${name}`),
        `\\${command[1]}`,
      ),
      `\\${command[1]}`,
    ]
  const text = openText.exec(line)
  if (text) return [valuesOf(universe.attributes, text[1]!, text[2]!), text[2]!]
  const [word] = /[\p{L}\p{N}_"]*$/u.exec(line)!
  if (/\bFROM\s+$/i.test(line.slice(0, line.length - word.length))) return [startingWith([quoted(dataset)], word), word]
  // As the word is typed: keywords in lower case for whoever writes them so.
  const isLower = word !== '' && word === word.toLowerCase()
  const words = isLower ? keywords.map((keyword) => keyword.toLowerCase()) : keywords
  const names = [...universe.attributes.map(({ name }) => quoted(name)), quoted(dataset)]
  return [startingWith([...names, ...(word === '' ? [] : words)], word), word]
}

/** The listed values of an attribute that begin so, each with its closing quote. */
function valuesOf(attributes: readonly Attribute[], name: string, typed: string): string[] {
  const plain = name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name
  const found =
    attributes.find((a) => a.name === plain) ?? attributes.find((a) => a.name.toLowerCase() === plain.toLowerCase())
  if (found?.kind !== 'values') return []
  const values = Array.from({ length: found.size }, (_, code) => label(found, code)).filter((value) => value !== null)
  return startingWith(
    values.map((value) => value.replaceAll("'", "''")),
    typed,
  ).map((value) => `${value}'`)
}

/** What a terminal would obey is not offered: the list is printed as it is. */
const startingWith = (words: readonly string[], start: string): string[] =>
  [...new Set(words)].filter((word) => word.toLowerCase().startsWith(start.toLowerCase()) && visibleCell(word) === word)

/** As SQL spells it: quoted unless it folds to itself. */
const quoted = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)
