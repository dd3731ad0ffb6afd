import { quoteText } from '../../domain-sql/index.ts'
import { as, boolean, type Translated, Untranslatable } from './types.ts'

/** LIKE and ILIKE; the escape character is a backslash unless ESCAPE says otherwise. */
export function like(of: Translated, pattern: Translated, escapeCharacter: string, foldCase: boolean): Translated {
  if ([...escapeCharacter].length > 1) throw new Untranslatable('ESCAPE takes one character')
  if (typeof pattern.literal === 'string' && endsInEscape(pattern.literal, escapeCharacter))
    throw new Untranslatable('a LIKE pattern must not end with its escape character')
  const escaping = escapeCharacter === '' ? '' : ` ESCAPE ${quoteText(escapeCharacter)}`
  const [x, p] = [as(of, 'text').sql, as(pattern, 'text').sql]
  return boolean(foldCase ? `lower(${x}) LIKE lower(${p})${escaping}` : `(${x}) LIKE (${p})${escaping}`)
}

function endsInEscape(pattern: string, escapeCharacter: string): boolean {
  let escaped = false
  for (const c of pattern) escaped = !escaped && c === escapeCharacter
  return escaped
}

/** ~ and ~*: a dot also matches a line's end, as in PostgreSQL. */
export function matchesExpression(of: Translated, pattern: string, foldCase: boolean): Translated {
  checkExpression(pattern)
  return boolean(`regexp_matches(${as(of, 'text').sql}, ${quoteText(pattern)}, ${foldCase ? "'si'" : "'s'"})`)
}

/** One piece of a regular expression that PostgreSQL and DuckDB read alike. */
const alike =
  /^(?:[^\\[\](){}*+?|.^$]|[.^$|()]|\(\?:|\\[dDwWsS]|\\[^A-Za-z0-9]|\[\^?\]?(?:[^\]\\[]|\\[dws]|\\[^A-Za-z0-9]|\[:[a-z]+:\])*\]|(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})\??)/

/** Refuses what the two read differently, such as \b, \m, back references and looking ahead. */
function checkExpression(pattern: string): void {
  for (let rest = pattern; rest !== ''; ) {
    const piece = alike.exec(rest)
    if (!piece || (rest.startsWith('(?') && !rest.startsWith('(?:')))
      throw new Untranslatable(
        `the regular expression is not supported from ${JSON.stringify(rest.slice(0, 20))} on`,
        'Supported are characters, classes [a-z], \\d \\w \\s, groups, |, ^, $, * + ? and {m,n}.',
      )
    rest = rest.slice(piece[0].length)
  }
}

/** SIMILAR TO: LIKE's % and _ within alternatives, repetitions and classes; the whole text must fit. */
export function similar(of: Translated, pattern: string, escapeCharacter: string): Translated {
  let out = ''
  const characters = [...pattern]
  for (let i = 0, inClass = false; i < characters.length; i++) {
    const c = characters[i]!
    if (c === escapeCharacter) out += literally(characters[++i] ?? '')
    else if (inClass) {
      out += c
      inClass = c !== ']'
    } else if (c === '[') {
      out += c
      inClass = true
    } else out += c === '%' ? '.*' : c === '_' ? '.' : '.^$\\'.includes(c) ? literally(c) : c === '(' ? '(?:' : c
  }
  return matchesExpression(of, `^(?:${out})$`, false)
}

const literally = (c: string) => (/[A-Za-z0-9]/.test(c) ? c : `\\${c}`)
