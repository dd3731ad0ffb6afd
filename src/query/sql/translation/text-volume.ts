import type { Node } from '@pgsql/types'
import { sum } from '../../../numeric/index.ts'
import { type Attribute, knownCodes, label } from '../../../schema/index.ts'
import { attributeAt, plainName, type Scope } from '../scope.ts'
import { longestPadding, longestText } from './functions.ts'

/**
 * The most characters of all texts that the SQL of an expression makes on its way for one record. DuckDB keeps every one of them, for two thousand
 * records at once, and none of that counts towards its limit of memory.
 */
export function textVolume(scope: Scope, node: Node, sql: string): number {
  let longest = 0
  const lengthOf = (part: unknown): number => {
    const length = bound(scope, part, lengthOf)
    longest = Math.max(longest, length)
    return length
  }
  lengthOf(node)
  return longest * (sql.match(making)?.length ?? 0)
}

/** What gives a text that is not there yet, as a constant is; what stands twice in the SQL is made twice. */
const making =
  /\|\||(?<!')::VARCHAR|\b(?:THEN|ELSE)\b|\b(?:coalesce|concat|concat_ws|dayname|greatest|least|left|lower|lpad|ltrim|monthname|replace|right|rpad|rtrim|split_part|strftime|substring|trim|upper)\(/g

/** A number, a date or a truth value has no more characters, once it is a text. */
const short = 64

/** Functions that may give a longer text than all that they take. */
const grown: { readonly [name: string]: (lengths: readonly number[]) => number } = {
  // What is no text is made one, and a separator stands between any two.
  concat: (lengths) => sum(lengths.map((length) => Math.max(short, length))),
  concat_ws: ([by = 0, ...lengths]) => sum(lengths.map((length) => by + Math.max(short, length))),
  dayname: () => short,
  monthname: () => short,
  replace: ([of = 0, , by = 0]) => Math.max(of, Math.min(longestText, of * by)),
  // A piece of two characters may stand for a year of four, or five.
  strftime: (lengths) => short + 2 * sum(lengths),
  to_char: (lengths) => short + 2 * sum(lengths),
}

/** No text that a part of a statement gives is longer; 0 where it gives none. `lengthOf` is asked once for each of its own parts. */
function bound(scope: Scope, part: unknown, lengthOf: (part: unknown) => number): number {
  if (part === null || typeof part !== 'object') return 0
  const lengths = (of: readonly unknown[] = []) => of.map(lengthOf)
  const node = part as Node
  if ('ColumnRef' in node) return longestLabel(attributeAt(scope, node))
  if ('A_Const' in node) return node.A_Const.sval?.sval?.length ?? 0
  if ('TypeCast' in node) return Math.max(short, lengthOf(node.TypeCast.arg))
  if ('FuncCall' in node) {
    const { funcname, args = [] } = node.FuncCall
    const [name, of] = [plainName(funcname), lengths(args)]
    return name === 'lpad' || name === 'rpad' ? padded(args[1]) : (grown[name] ?? sum)(of)
  }
  if ('CaseExpr' in node) {
    const { arg, args = [], defresult } = node.CaseExpr
    const cases = args.flatMap((item) => ('CaseWhen' in item ? [item.CaseWhen] : []))
    lengths([arg, ...cases.map(({ expr }) => expr)])
    return Math.max(...lengths([defresult, ...cases.map(({ result }) => result)]))
  }
  if ('CoalesceExpr' in node) return Math.max(0, ...lengths(node.CoalesceExpr.args))
  if ('MinMaxExpr' in node) return Math.max(0, ...lengths(node.MinMaxExpr.args))
  const of = lengths(Object.values(node))
  return 'A_Expr' in node && plainName(node.A_Expr.name) === '||' ? short + sum(of) : sum(of)
}

const padded = (length: Node | undefined): number =>
  Math.min(longestPadding, (length && 'A_Const' in length && length.A_Const.ival?.ival) || longestPadding)

const labels = new WeakMap<Attribute, number>()

function longestLabel(attribute: Attribute): number {
  if (attribute.kind !== 'values') return 0
  const known = labels.get(attribute)
  if (known !== undefined) return known
  let longest = 0
  for (let code = 0; code < knownCodes(attribute); code++) longest = Math.max(longest, label(attribute, code)!.length)
  labels.set(attribute, longest)
  return longest
}
