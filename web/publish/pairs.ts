/** Attributes of a table to publish, one or two, in the policy's order. */
export type Marginal = readonly string[]

/** A name for a marginal that sets hold. */
export const keyOf = (marginal: Marginal): string => JSON.stringify(marginal)
export const marginalOf = (key: string): Marginal => JSON.parse(key) as Marginal

export const oneWay = (names: readonly string[]): Marginal[] => names.map((name) => [name])
export const allPairs = (names: readonly string[]): Marginal[] =>
  names.flatMap((first, i) => names.slice(i + 1).map((second) => [first, second]))

export const marginalName = (marginal: Marginal): string => marginal.join(' × ')
