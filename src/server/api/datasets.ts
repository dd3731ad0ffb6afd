import { type Static, Type } from 'typebox'
import { Role } from './access.ts'
import { Cost, oneOf } from './common.ts'

const Unit = Type.Union([
  Type.Object({ kind: Type.Literal('row') }),
  Type.Object({ kind: Type.Literal('column'), column: Type.String(), rows: Type.Number() }),
])
const Neighbours = Type.Union([Type.Literal('add-remove'), Type.Literal('replace-one')])

export const DatasetSummary = Type.Object({
  name: Type.String(),
  role: Role,
  analyst: Type.Optional(Type.String()),
  privacy: Type.Object({ epsilon: Type.Number(), delta: Type.Number(), unit: Unit, neighbours: Neighbours }),
  cap: Cost,
  spent: Cost,
  left: Cost,
})
export type DatasetSummary = Static<typeof DatasetSummary>

const label = Type.Union([Type.String(), Type.Null()], { description: 'null is NULL' })

/** One attribute: public knowledge, from the policy. */
const AttributeSummary = Type.Object({
  name: Type.String(),
  kind: oneOf('values', 'integer', 'decimal', 'bins', 'boolean', 'date'),
  isNumber: Type.Boolean({ description: 'Whether it can be summed.' }),
  cells: Type.Number({ description: 'The number of values, including `other` and NULL if they exist.' }),
  hasNull: Type.Boolean(),
  hasOther: Type.Boolean(),
  low: Type.Optional(Type.String({ description: 'For numbers and bins, as text; for dates the first day.' })),
  high: Type.Optional(Type.String()),
  step: Type.Optional(Type.String({ description: 'For decimals; for bins of equal width, that width.' })),
  by: Type.Optional(Type.Union([Type.Literal('day'), Type.Literal('month'), Type.Literal('year')])),
  labels: Type.Array(label, { description: 'The labels of its first cells; of all of them if `more` is 0.' }),
  more: Type.Number({ description: 'How many labels are left out here: page through …/values.' }),
})
export type AttributeSummary = Static<typeof AttributeSummary>

const ExampleQuestion = Type.Object({
  title: Type.String(),
  sql: Type.String(),
  epsilon: Type.Number({ description: 'A price to try it with.' }),
})
export type ExampleQuestion = Static<typeof ExampleQuestion>

export const DatasetDescription = Type.Object({
  name: Type.String(),
  role: Role,
  analyst: Type.Optional(Type.String()),
  attributes: Type.Array(AttributeSummary),
  cells: Type.Number({ description: 'Of the whole universe.' }),
  promise: Type.Object({
    text: Type.String({ description: 'What the policy promises, in plain words.' }),
    bet: Type.String({ description: 'The same in terms of a bet.' }),
    epsilon: Type.Number(),
    delta: Type.Number(),
    unit: Unit,
    neighbours: Neighbours,
    composition: Type.Union([Type.Literal('pure'), Type.Literal('zcdp')]),
  }),
  guards: Type.Array(Type.Object({ query: Type.String(), within: Type.Number(), confidence: Type.Number() })),
  analysts: Type.Union([Type.Array(Type.Object({ name: Type.String(), cap: Type.Number() })), Type.Null()], {
    description: 'null if the policy names none. An analyst sees only her own name.',
  }),
  examples: Type.Array(ExampleQuestion),
})
export type DatasetDescription = Static<typeof DatasetDescription>

export const AttributeValues = Type.Object({
  total: Type.Number({ description: 'Labels that match.' }),
  offset: Type.Number(),
  labels: Type.Array(label),
})
export type AttributeValues = Static<typeof AttributeValues>
