import type { Node } from '@pgsql/types'
import { parseRational } from '../../../numeric/index.ts'
import { type Attribute, isCoarse, knownCodes, ReticentError } from '../../../schema/index.ts'
import { type DomainTable, evaluateOnDomain, mostPoints, pointsOf } from '../../domain-sql/index.ts'
import { insteadOf } from '../alternatives.ts'
import { condition } from '../condition/condition.ts'
import { cellText } from '../condition/edges.ts'
import {
  type Computed,
  type Constant,
  compareValues,
  number,
  type ScalarType,
  type Value,
} from '../expression/scalar.ts'
import { fault, quoteName, type Scope, unsupported } from '../scope.ts'
import { binsUse, type Check } from './bins.ts'
import { attributesIn, nodesOf, plainComparisonAt } from './nodes.ts'
import { textVolume } from './text-volume.ts'
import { type Translation, translate } from './translate.ts'
import { as, type Kind, type Translated } from './types.ts'

/** Characters of texts that it may make on its way for one of them. */
const maxVolume = 100_000

/** What an expression is at every cell of the attributes that it mentions; a constant where it mentions none. */
export async function compute(scope: Scope, node: Node, isSummed: boolean): Promise<Computed | Constant> {
  const subquery = nodesOf('SubLink', node).next().value
  if (subquery)
    throw unsupported(scope, subquery, 'a subquery is not supported in a condition or a key', insteadOf('SubLink'))
  const attributes = attributesIn(scope, node)
  const points = attributes.reduce((n, attribute) => n * pointsOf(attribute), 1)
  if (points > mostPoints) throw tooMany(scope, node, attributes, points)
  // Comparisons mean what they say, wherever they stand.
  for (const comparison of nodesOf('A_Expr', node)) if (plainComparisonAt(comparison)) condition(scope, comparison)
  const checks: Check[] = []
  const use = binsUse(scope, node, checks)
  if ((use === 'value' || use === 'monotone') && !isSummed) throw needsValue(scope, node, attributes)
  const translation: Translation = { scope, attributes, end: '' }
  const translated = known(translate(translation, node))
  const tests = checks.flatMap((check) => checkSql(translation, check))
  const sql = finite(translated)
  if (textVolume(scope, node, [sql, ...tests].join(' ')) > maxVolume)
    throw unsupported(scope, node, 'this produces texts that are too long', 'Join fewer, or shorter ones.')
  const table = await evaluateOnDomain({ sql, attributes, checks: tests }).catch((error) => {
    throw error instanceof ReticentError ? error : impossible(scope, node)
  })
  if (table.values.length === 0 && table.failures > 0) throw impossible(scope, node)
  if (table.split !== undefined) throw splits(scope, node, attributes, table.split)
  if (table.failures > 0) scope.notes.add(failureNote(attributes, table))
  const { type, values } = valuesOf(scope, node, translated.kind, table.values)
  if (attributes.length === 0) return constant(type, values[0], table.values[0])
  const order = [...values.keys()].sort((a, b) => compareValues(values[a]!, values[b]!))
  const ranks = Int32Array.from(order.keys()).sort((a, b) => order[a]! - order[b]!)
  return {
    kind: 'computed',
    attribute: attributes[0]!,
    attributes,
    type,
    signature: `${attributes.map(({ name }) => JSON.stringify(name)).join()}: ${translated.sql}`,
    values: order.map((place) => values[place]!),
    places: table.places.map((place) => (place < 0 ? -1 : ranks[place]!)),
  }
}

/** A literal without a type is a text. */
const known = (of: Translated): Translated => (of.literal === undefined ? of : as(of, 'text'))
/** Doubles that are no numbers are NULL. */
const finite = ({ sql, kind }: Translated) =>
  kind === 'float' ? `CASE WHEN isfinite(${sql}) THEN ${sql} WHEN (${sql}) IS NULL THEN NULL ELSE fail(0) END` : sql

/** That a part of the expression is the same at both ends of a bin. */
function checkSql(t: Translation, { node, bounds }: Check): string[] {
  const at = (end: '0' | '1', of: Node) => translate({ ...t, end }, of)
  if (!bounds) return [`(${at('0', node).sql}) IS NOT DISTINCT FROM (${at('1', node).sql})`]
  return bounds.flatMap(([left, right]) =>
    ['<', '<='].map((operator) => {
      const test = {
        A_Expr: { kind: 'AEXPR_OP', name: [{ String: { sval: operator } }], lexpr: left, rexpr: right },
      } as Node
      return `(${at('0', test).sql}) IS NOT DISTINCT FROM (${at('1', test).sql})`
    }),
  )
}

const types: { readonly [K in Kind]?: ScalarType } = {
  integer: 'number',
  numeric: 'number',
  float: 'number',
  text: 'text',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'date',
}

function valuesOf(
  scope: Scope,
  node: Node,
  kind: Kind,
  texts: readonly string[],
): { type: ScalarType; values: Value[] } {
  const type = types[kind]
  if (!type)
    throw unsupported(
      scope,
      node,
      'an interval cannot be a value of a record',
      'Take a part of it: extract(year FROM age(d, born)).',
    )
  if (kind === 'timestamp') {
    if (!texts.every((text) => text.endsWith(' 00:00:00')))
      throw unsupported(scope, node, 'times of day are not supported')
    return { type, values: texts.map((text) => text.slice(0, 10)) }
  }
  const value = (text: string): Value =>
    type === 'number' ? parseRational(text)! : type === 'boolean' ? text === 'true' : text
  return { type, values: texts.map(value) }
}

function constant(type: ScalarType, value: Value | undefined, text: string | undefined): Constant {
  if (value === undefined) return { kind: 'constant', type: 'null' }
  if (typeof value === 'object') return number(value, /^-?\d+$/.test(text!))
  if (typeof value === 'boolean') return { kind: 'constant', type: 'boolean', value }
  return { kind: 'constant', type: type === 'date' ? 'date' : 'string', value }
}

const impossible = (scope: Scope, node: Node) =>
  unsupported(
    scope,
    node,
    'this cannot be computed for any value',
    'Look for a division by zero, numbers out of range, or a pattern that is not complete.',
  )

const named = (attributes: readonly Attribute[]) => attributes.map(({ name }) => quoteName(name)).join(' and ')

const tooMany = (scope: Scope, node: Node, attributes: readonly Attribute[], points: number) =>
  unsupported(
    scope,
    node,
    `this would have to be computed for ${points.toLocaleString('en-US')} values of ${named(attributes)}; at most ${mostPoints.toLocaleString('en')} are allowed`,
    attributes.length > 1
      ? 'Use fewer attributes in one expression, or buckets of them: floor(x / 100). Or let the owner add it as an attribute: `sql:` in the policy.'
      : 'Compare the attribute itself with constants, and do arithmetic outside: 1.19 * SUM(x).',
    { values: points, limit: mostPoints },
  )

const needsValue = (scope: Scope, node: Node, attributes: readonly Attribute[]) => {
  const bins = attributes.filter(({ kind }) => kind === 'bins')
  return fault(
    scope,
    node,
    'not-an-edge',
    `${named(bins)} ${bins.length > 1 ? 'are' : 'is'} known only in bins, and this needs the value itself`,
    'Compare it with edges of its bins, or group whole bins: floor(x / 10). In sums and averages a bin counts as its midpoint.',
    { attribute: bins[0]!.name, nearest: [] },
  )
}

function splits(scope: Scope, node: Node, attributes: readonly Attribute[], cell: number) {
  const codes = new Map<Attribute, number>()
  for (const attribute of attributes.toReversed()) {
    codes.set(attribute, cell % attribute.size)
    cell = Math.floor(cell / attribute.size)
  }
  const coarse = attributes.find((attribute) => isCoarse(attribute) && codes.get(attribute)! < knownCodes(attribute))!
  return fault(
    scope,
    node,
    'not-an-edge',
    `this would split ${cellText(coarse, codes.get(coarse)!)} of ${coarse.name}`,
    `Bounds and steps of ${quoteName(coarse.name)} must be at the beginning of one.`,
    { attribute: coarse.name, nearest: [] },
  )
}

const failureNote = (attributes: readonly Attribute[], { failures, places }: DomainTable): string =>
  attributes.length === 0
    ? 'a constant cannot be computed, and is NULL'
    : `an expression of ${named(attributes)} cannot be computed (division by 0, out of range) for ${failures} of ${places.length} values, and is NULL there`
