import type { AttributeSummary } from '../../src/client/index.ts'

/** An attribute as the policy describes it. */
export type Attribute = AttributeSummary

/** Attributes whose values come in an order, so that one can ask for "at least". */
export const isOrdered = ({ kind }: Attribute): boolean => kind !== 'values' && kind !== 'boolean'
/** Attributes whose values are written without quotes. */
const isPlain = ({ kind }: Attribute): boolean => kind === 'integer' || kind === 'decimal' || kind === 'bins'

/** The listed values, as far as they are known here: neither NULL nor "other". */
export const listed = ({ labels, hasOther, more }: Attribute): string[] => {
  const values = labels.filter((label) => label !== null)
  return hasOther && more === 0 ? values.slice(0, -1) : values
}

/** A name as SQL reads it: quoted where it must be. */
export const quotedName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`

/** A value as SQL reads it. */
export function literal(a: Attribute, value: string): string {
  if (isPlain(a)) return value
  if (a.kind === 'boolean') return value.toUpperCase()
  const quoted = `'${value.replaceAll("'", "''")}'`
  return a.kind === 'date' ? `DATE ${quoted}` : quoted
}
