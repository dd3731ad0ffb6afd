import type { Node } from '@pgsql/types'
import {
  type Attribute,
  type ErrorCode,
  type Fact,
  nearest,
  type ReticentError,
  type Universe,
} from '../../schema/index.ts'
import type { Computed, Constant } from './expression/scalar.ts'
import { faultAt, indexOfByte } from './fault.ts'
import type { Work } from './work.ts'

/** What the reading of one statement knows: its text, the attributes, the name the table goes by, the work left. */
export interface Scope {
  readonly text: string
  readonly universe: Universe
  /** How attributes may be qualified: the table's alias, else its name. */
  readonly table: string
  readonly work: Work
  /** What expressions were found to be so far, by their nodes. */
  readonly computed: Map<Node, Computed | Constant>
  /** What is to be said with the answer. */
  readonly notes: Set<string>
}

/** Thrown where reading needs what an expression is at every cell: it is computed, and the statement read again. */
export class Uncomputed extends Error {
  readonly node: Node
  /** In a sum a bin counts as its middle. */
  readonly isSummed: boolean
  constructor(node: Node, isSummed: boolean) {
    super('an expression was not computed')
    this.node = node
    this.isSummed = isSummed
  }
}

/** The first byte that a node, or else the first of its children that has one, stands at. */
function locationOf(node: unknown): number | undefined {
  if (node === null || typeof node !== 'object') return undefined
  const { location } = node as { location?: unknown }
  if (typeof location === 'number' && location >= 0) return location
  for (const child of Object.values(node)) {
    const found = locationOf(child)
    if (found !== undefined) return found
  }
  return undefined
}

/** An error about a node of the statement. */
export const fault = (
  scope: Pick<Scope, 'text'>,
  node: unknown,
  code: ErrorCode,
  message: string,
  hint?: string,
  facts?: { readonly [name: string]: Fact },
): ReticentError => faultAt(scope.text, indexOfByte(scope.text, locationOf(node) ?? 0), code, message, hint, facts)

/** The same about what is not part of the subset. */
export const unsupported = (
  scope: Pick<Scope, 'text'>,
  node: unknown,
  message: string,
  hint?: string,
  facts?: { readonly [name: string]: Fact },
): ReticentError => fault(scope, node, 'sql-unsupported', message, hint, facts)

/** Texts of a list of String nodes; an empty string has no sval. */
export const strings = (nodes: readonly Node[] | undefined): string[] =>
  (nodes ?? []).map((n) => ('String' in n ? (n.String.sval ?? '') : ''))

/** The name of a function, operator or type, without the schema that the grammar puts before its own. */
export const plainName = (nodes: readonly Node[] | undefined): string => {
  const path = strings(nodes)
  return path.length === 2 && path[0] === 'pg_catalog' ? path[1]! : path.join('.')
}

/** Throws where a statement computes more values of attributes than it may. */
export function compute(scope: Scope, node: unknown, attribute: Attribute, values: number): void {
  if (!scope.work.compute(values))
    throw unsupported(
      scope,
      node,
      `${attribute.name} has too many values to compute with`,
      'Compare the attribute itself with constants, without functions or LIKE.',
      { attribute: attribute.name, values: attribute.size },
    )
}

/** Equal names, or else equal but for case where only one is: the grammar has folded what was not quoted. */
export function matchName(name: string, names: readonly string[]): string[] {
  if (names.includes(name)) return [name]
  return names.filter((n) => n.toLowerCase() === name.toLowerCase())
}

/** SQL's spelling of a name: quoted unless it folds to itself. */
export const quoteName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`

/** The attribute that a column reference means. */
export function attributeAt(scope: Scope, node: Node & { ColumnRef: unknown }): Attribute {
  const path = strings((node as Extract<Node, { ColumnRef: unknown }>).ColumnRef.fields)
  const name = path.at(-1)!
  if (path.length > 2 || (path.length === 2 && matchName(path[0]!, [scope.table]).length === 0))
    throw fault(
      scope,
      node,
      'unknown-name',
      `there is no table ${JSON.stringify(path.slice(0, -1).join('.'))} here`,
      `The table is called ${quoteName(scope.table)}.`,
      { name: path.join('.') },
    )
  const names = scope.universe.attributes.map((a) => a.name)
  const found = matchName(name, names)
  if (found.length === 1) return scope.universe.attributes[scope.universe.index.get(found[0]!)!]!
  if (found.length > 1)
    throw fault(
      scope,
      node,
      'unknown-name',
      `${JSON.stringify(name)} could be any of ${found.join(', ')}`,
      `Quote the name: ${found.map(quoteName).join(' or ')}.`,
      { name },
    )
  const near = nearest(name, names)
  const isText = scope.universe.attributes.some((a) => a.kind === 'values' && a.values.includes(name))
  throw fault(
    scope,
    node,
    'unknown-name',
    `there is no attribute ${JSON.stringify(name)}`,
    isText
      ? `A text stands in single quotes: '${name.replaceAll("'", "''")}'.`
      : near
        ? `Did you mean ${quoteName(near)}?`
        : `The attributes are ${names.slice(0, 20).map(quoteName).join(', ')}${names.length > 20 ? ', …' : ''}.`,
    { name, ...(near && { nearest: near }) },
  )
}
