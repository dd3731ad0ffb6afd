import { type Factor, MarginalList, type QueryList } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'

/** Attributes of more codes than this have neighbours that are alike. */
const manyCodes = 16

/** Whether some query counts an interval of several codes, of an attribute that has many. */
export const hasWideRanges = (queries: QueryList, { attributes, index }: Universe): boolean =>
  !(queries instanceof MarginalList) &&
  [...queries].some(({ terms }) =>
    terms.some(({ factors }) => {
      for (const name in factors)
        if (isWide(factors[name]!) && attributes[index.get(name)!]!.size > manyCodes) return true
      return false
    }),
  )

const isWide = (factor: Factor): boolean => factor.kind === 'interval' && factor.from < factor.to
