import type { A_Expr, Node } from '@pgsql/types'
import type { Attribute } from '../../../schema/index.ts'
import { columnOf, digitsBelowEdge, digitsOf } from '../../domain-sql/index.ts'
import { operators } from '../condition/operator.ts'
import { unknownFunction } from '../expression/call.ts'
import { attributeAt, plainName, type Scope, unsupported } from '../scope.ts'
import { cast } from './casts.ts'
import { nullIf, valueFunctions } from './functions.ts'
import { compared, operation } from './operators.ts'
import { like, matchesExpression, similar } from './patterns.ts'
import {
  as,
  boolean,
  integer,
  numeralSql,
  numeric,
  type Translated,
  text,
  typed,
  Untranslatable,
  unified,
} from './types.ts'

/** What a translation is about: the statement, the attributes in the order of their columns, and where in a bin it is computed. */
export interface Translation {
  readonly scope: Scope
  readonly attributes: readonly Attribute[]
  readonly end: '' | '0' | '1'
}

/** An expression of one record in DuckDB's SQL, with PostgreSQL's meaning; what has no sure translation is refused at its place. */
export function translate(t: Translation, node: Node): Translated {
  try {
    const translated = read(t, node)
    if (translated.sql.length > longest) throw new Untranslatable('the expression is too long to be computed')
    return translated
  } catch (error) {
    if (error instanceof Untranslatable) throw unsupported(t.scope, node, error.message, error.hint ?? otherwise)
    throw error
  }
}

/** Guards repeat what they guard, so nested divisions grow fast. */
const longest = 300_000

const otherwise = 'docs/sql.md lists the functions and operators that can be computed.'

function read(t: Translation, node: Node): Translated {
  const of = (child: Node | undefined) => translate(t, child!)
  if ('ColumnRef' in node) return column(t, attributeAt(t.scope, node))
  if ('A_Const' in node) return literal(node)
  if ('A_Expr' in node) return expression(t, node.A_Expr)
  if ('TypeCast' in node) {
    const { arg, typeName } = node.TypeCast
    return cast(of(arg), plainName(typeName?.names), (typeName?.typmods ?? []).map(modifier))
  }
  if ('FuncCall' in node) return call(t, node)
  if ('CaseExpr' in node) return choice(t, node)
  if ('CoalesceExpr' in node) return chosen('coalesce', (node.CoalesceExpr.args ?? []).map(of))
  if ('MinMaxExpr' in node)
    return chosen(node.MinMaxExpr.op === 'IS_GREATEST' ? 'greatest' : 'least', (node.MinMaxExpr.args ?? []).map(of))
  if ('BoolExpr' in node) {
    const parts = (node.BoolExpr.args ?? []).map((part) => `(${as(of(part), 'boolean').sql})`)
    if (node.BoolExpr.boolop === 'NOT_EXPR') return boolean(`NOT ${parts[0]}`)
    return boolean(parts.join(node.BoolExpr.boolop === 'AND_EXPR' ? ' AND ' : ' OR '))
  }
  if ('NullTest' in node)
    return boolean(`(${of(node.NullTest.arg).sql}) IS ${node.NullTest.nulltesttype === 'IS_NULL' ? '' : 'NOT '}NULL`)
  if ('BooleanTest' in node) {
    const [test] = /(NOT_)?(TRUE|FALSE|UNKNOWN)$/.exec(node.BooleanTest.booltesttype!)!
    const truth = test.replace('_', ' ').replace('UNKNOWN', 'NULL')
    return boolean(`(${as(of(node.BooleanTest.arg), 'boolean').sql}) IS ${truth}`)
  }
  throw unsupported(
    t.scope,
    node,
    'this is not supported as a value of a record',
    'A value must be a number, a text, a date or a boolean computed from attributes, not a list or a row.',
  )
}

const modifier = (node: Node): number => ('A_Const' in node ? (node.A_Const.ival?.ival ?? 0) : -1)

function column({ attributes, end }: Translation, attribute: Attribute): Translated {
  const i = attributes.indexOf(attribute)
  const digits = digitsOf(attribute)
  if (digits === undefined)
    throw new Untranslatable(
      `the values of ${attribute.name} have no finite decimal form, so they can only be compared`,
    )
  switch (attribute.kind) {
    case 'integer':
      return integer(columnOf(i))
    case 'decimal':
      return numeric(columnOf(i), digits)
    case 'bins':
      return end === '' ? numeric(columnOf(i), digits) : numeric(columnOf(i, end), digits + digitsBelowEdge)
    case 'values':
      return text(columnOf(i))
    default:
      return typed(columnOf(i), attribute.kind)
  }
}

function literal({ A_Const: c }: Extract<Node, { A_Const: unknown }>): Translated {
  if (c.isnull) return { ...typed('NULL', 'unknown'), literal: null }
  if (c.ival) return integer(`${c.ival.ival ?? 0}::BIGINT`)
  if (c.boolval) return boolean(String(c.boolval.boolval ?? false))
  if (c.sval) return { ...typed('NULL', 'unknown'), literal: c.sval.sval ?? '' }
  const digits = (c.fval?.fval ?? '').replaceAll('_', '')
  if (/^-?\d{1,18}$/.test(digits)) return integer(`${digits}::BIGINT`)
  return numeralSql(digits)
}

function call(t: Translation, node: Extract<Node, { FuncCall: unknown }>): Translated {
  const { funcname, args = [], agg_filter, agg_star } = node.FuncCall
  const name = plainName(funcname)
  if (!Object.hasOwn(valueFunctions, name) || agg_filter || agg_star) throw unknownFunction(t.scope, node, name)
  const { least, most, translate: made } = valueFunctions[name]!
  if (args.length < least || args.length > most)
    throw new Untranslatable(
      `${name} takes ${least === most ? least : `${least} to ${most}`} argument${most > 1 ? 's' : ''} here`,
    )
  return made(args.map((argument) => translate(t, argument)))
}

function chosen(name: string, args: readonly Translated[]): Translated {
  const { items, kind, digits } = unified(args)
  return typed(`${name}(${items.map(({ sql }) => sql).join(', ')})`, kind, digits)
}

function choice(
  t: Translation,
  { CaseExpr: { arg, args = [], defresult } }: Extract<Node, { CaseExpr: unknown }>,
): Translated {
  const of = arg && translate(t, arg)
  const cases = args.flatMap((item) => ('CaseWhen' in item ? [item.CaseWhen] : []))
  const tests = cases.map(({ expr }) => {
    const test = translate(t, expr!)
    return of ? compared('=', of, test) : as(test, 'boolean')
  })
  const missing: Translated = { ...typed('NULL', 'unknown'), literal: null }
  const outcomes = [...cases.map(({ result }) => translate(t, result!)), defresult ? translate(t, defresult) : missing]
  const { items, kind, digits } = unified(outcomes)
  const whens = tests.map((test, i) => `WHEN ${test.sql} THEN ${items[i]!.sql}`)
  return typed(`CASE ${whens.join(' ')} ELSE ${items.at(-1)!.sql} END`, kind, digits)
}

const listed = (node: Node | undefined): Node[] => (node && 'List' in node ? (node.List.items ?? []) : [])
const not = (of: Translated, negated: boolean): Translated => (negated ? boolean(`NOT (${of.sql})`) : of)

function expression(t: Translation, e: A_Expr): Translated {
  const operator = plainName(e.name)
  const of = (child: Node | undefined) => translate(t, child!)
  const compare = (operation: string, left: Node | undefined, right: Node | undefined) =>
    compared(operation, of(left), of(right))
  switch (e.kind) {
    case 'AEXPR_OP':
      if (!e.lexpr) return signed(operator, of(e.rexpr))
      if (operators.includes(operator)) return compare(operator, e.lexpr, e.rexpr)
      if (/^!?~\*?$/.test(operator))
        return not(
          matchesExpression(of(e.lexpr), quoted(of(e.rexpr)), operator.endsWith('*')),
          operator.startsWith('!'),
        )
      if (!['+', '-', '*', '/', '%', '^', '||'].includes(operator))
        throw new Untranslatable(
          `the operator ${operator} is not supported here`,
          operator === '//' ? 'Write /: whole numbers divide to a whole number.' : undefined,
        )
      return operation(operator, of(e.lexpr), of(e.rexpr))
    case 'AEXPR_DISTINCT':
      return compare('IS DISTINCT FROM', e.lexpr, e.rexpr)
    case 'AEXPR_NOT_DISTINCT':
      return compare('IS NOT DISTINCT FROM', e.lexpr, e.rexpr)
    case 'AEXPR_NULLIF':
      return nullIf(of(e.lexpr), of(e.rexpr))
    case 'AEXPR_IN': {
      const equal = listed(e.rexpr).map((item) => `(${compare('=', e.lexpr, item).sql})`)
      return not(boolean(equal.join(' OR ')), operator === '<>')
    }
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN':
    case 'AEXPR_BETWEEN_SYM':
    case 'AEXPR_NOT_BETWEEN_SYM': {
      const [low, high] = listed(e.rexpr)
      const between = (a: Node | undefined, b: Node | undefined) =>
        `((${compare('>=', e.lexpr, a).sql}) AND (${compare('<=', e.lexpr, b).sql}))`
      const inside = e.kind.endsWith('_SYM') ? `${between(low, high)} OR ${between(high, low)}` : between(low, high)
      return not(boolean(inside), e.kind.includes('_NOT_'))
    }
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE': {
      const [pattern, escaping] = escapedPattern(e.rexpr!, 'like_escape')
      return not(
        like(of(e.lexpr), of(pattern), escaping ? quoted(of(escaping)) : '\\', e.kind === 'AEXPR_ILIKE'),
        operator.startsWith('!'),
      )
    }
    case 'AEXPR_SIMILAR': {
      const [pattern, escaping] = escapedPattern(e.rexpr!, 'similar_to_escape')
      return not(
        similar(of(e.lexpr), quoted(of(pattern)), escaping ? quoted(of(escaping)) : '\\'),
        operator.startsWith('!'),
      )
    }
    default:
      throw new Untranslatable(`${operator} is not supported here`)
  }
}

function signed(operator: string, of: Translated): Translated {
  if (operator !== '-' && operator !== '+') throw new Untranslatable(`the operator ${operator} is not supported here`)
  const known = of.literal === undefined ? of : as(of, 'float')
  return typed(`${operator}(${known.sql})`, known.kind, known.digits)
}

/** A pattern stands in quotes: it is read before anything is computed. */
function quoted(of: Translated): string {
  if (typeof of.literal !== 'string') throw new Untranslatable('a pattern must be a quoted text')
  return of.literal
}

const escapedPattern = (node: Node, name: string): readonly [Node, Node | undefined] => {
  const args = 'FuncCall' in node && plainName(node.FuncCall.funcname) === name ? (node.FuncCall.args ?? []) : [node]
  return [args[0]!, args[1]]
}
