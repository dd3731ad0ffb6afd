import { usage } from '../../schema/index.ts'

/** A claim about a number whose probability is wanted. */
export interface Threshold {
  readonly operator: '>' | '>=' | '<' | '<='
  readonly value: number
}

/** Reads "> 1000". */
export function parseThreshold(text: string): Threshold {
  const [, operator, digits] = /^\s*([<>]=?)\s*(\S+)\s*$/.exec(text) ?? []
  const value = Number(digits)
  if (operator !== undefined && Number.isFinite(value)) return { operator: operator as Threshold['operator'], value }
  throw usage(
    `cannot give the probability of ${JSON.stringify(text)}`,
    'Write an operator (>, >=, < or <=) and a number: --probability "> 1000".',
  )
}
