import type { Attribute } from '../../schema/index.ts'

/** If nobody knows how many records there are, more values than this are taken for many. */
const many = 10_000

/**
 * Advice about attributes with more values than there are records: nearly every count of such a value is 0 or 1, and
 * its noise is larger than that. Public numbers decide.
 */
export const manyValues = (attributes: readonly Attribute[], records: number | null): string[] =>
  attributes
    .filter(({ size }) => size > (records ?? many))
    .map(
      ({ name, size }) =>
        `${name} has ${size.toLocaleString('en-US')} values${records === null ? '' : ', more than there are records'}: their counts will be mostly noise. In bins (bins: in the policy) it would be far more accurate.`,
    )
