import { answerSize, countAll, type Grouping, type LinearQuery } from '../../query/index.ts'
import { type Attribute, attributeNamed, type Universe, usage, valueCount } from '../../schema/index.ts'
import { divisions } from './intervals.ts'

/** A partition of one attribute's values, or of the pairs of two attributes', in levels that become finer. */
export interface TreeShape {
  /** One attribute or two. */
  readonly of: readonly string[]
  /** Into how many parts each part is divided; for two attributes, along each. */
  readonly fanOut: number
}

/** Inference combines so many answers besides whole marginals; the last level is one, the others are not. */
const mostGroups = 5000

/**
 * One query per level, the coarsest first; every record counts once in each. The last one is the full marginal. `other`
 * and NULL are groups of their own in every level: no range has them in it.
 */
export function treeLevels(universe: Universe, { of, fanOut }: TreeShape): LinearQuery[] {
  if (!Number.isInteger(fanOut) || fanOut < 2)
    throw usage(
      'the fan-out must be a whole number, 2 or more',
      'It is the number of parts that each range is divided into: 16 is usual.',
    )
  if (of.length < 1 || of.length > 2 || new Set(of).size !== of.length)
    throw usage('a tree is over one attribute or two different ones', 'For example --of age, or --of age,income.')
  const axes = of.map((name) => groupings(attributeOf(universe, name), fanOut))
  const depth = Math.max(...axes.map((axis) => axis.length))
  const levels = Array.from({ length: depth }, (_, level) => ({
    ...countAll,
    by: axes.map((axis) => axis[Math.min(level, axis.length - 1)]!),
  }))
  const above = levels.slice(0, -1).reduce((groups, query) => groups + answerSize(query, universe), 0)
  if (above > mostGroups) throw tooMany()
  return levels
}

/** The groupings of one attribute, level by level; the last has every code by itself. */
function groupings(attribute: Attribute, fanOut: number): Grouping[] {
  const values = valueCount(attribute)
  if (values > mostGroups * fanOut) throw tooMany() // of a domain of millions not even the list is made
  const rest = Array.from({ length: attribute.size - values }, (_, i) => ({ from: values + i, to: values + i }))
  const levels = divisions(values, fanOut).map((spans) => [...spans, ...rest])
  return levels.map((spans, level) => ({
    attribute: attribute.name,
    ...(level < levels.length - 1 && { groups: spans.map((span) => ({ kind: 'interval', ...span }) as const) }),
  }))
}

function attributeOf(universe: Universe, name: string): Attribute {
  const attribute = attributeNamed(universe, name)
  if (valueCount(attribute) < 2) throw usage(`${name} has only one value: there is nothing to divide`)
  return attribute
}

const tooMany = () =>
  usage(
    `all levels but the last would have more than ${mostGroups} groups, too many to combine later`,
    'Take a larger --fan-out, such as 400; or one attribute instead of two.',
  )
