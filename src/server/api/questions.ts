import { type Static, Type } from 'typebox'
import type { Answer, ModelAnswer, Plan } from '../../index.ts'
import { Amount, Cost, closed, fromLibrary, oneOf } from './common.ts'

/** A statement longer than this is refused unread. */
const mostSql = 100_000

const sql = Type.String({ minLength: 1, maxLength: mostSql, description: 'A SELECT, as for `reticent ask`.' })
const as = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'On whose behalf. An analyst need not give it, and cannot give another name.',
  }),
)

const asked = {
  sql,
  within: Type.Optional(Amount),
  relative: Type.Optional(Amount),
  floor: Type.Optional(Amount),
  maxEpsilon: Type.Optional(Amount),
  epsilon: Type.Optional(Amount),
  confidence: Type.Optional(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 })),
  allWithin: Type.Optional(Type.Boolean()),
  always: Type.Optional(Type.Boolean()),
  as,
}

/** One of within, relative with floor, and epsilon. */
export const PlanRequest = Type.Object(asked, closed)
export type PlanRequest = Static<typeof PlanRequest>

/** One of within, relative with floor, epsilon and free; or a model that answers at no cost. */
export const AskRequest = Type.Object(
  {
    ...asked,
    free: Type.Optional(Type.Boolean()),
    probability: Type.Optional(Type.String({ maxLength: 100, description: '"> 1000": how likely is that?' })),
    explain: Type.Optional(Type.Boolean({ description: 'Adds `madeOf`: the measurements behind the answer.' })),
    density: Type.Optional(
      Type.Integer({ minimum: 2, maximum: 400, description: 'Adds a `density` with this many columns to a number.' }),
    ),
    model: Type.Optional(
      Type.String({ maxLength: 40, description: 'kernel, maxent or mixture: fitted to earlier answers; no interval.' }),
    ),
  },
  closed,
)
export type AskRequest = Static<typeof AskRequest>

export const CurveRequest = Type.Object(
  {
    sql,
    confidence: asked.confidence,
    allWithin: asked.allWithin,
    always: asked.always,
    points: Type.Optional(Type.Integer({ minimum: 2, maximum: 30, description: '12 unless said.' })),
    as,
  },
  closed,
)
export type CurveRequest = Static<typeof CurveRequest>

const CurvePoint = Type.Object({
  within: Type.Number(),
  epsilon: Type.Number(),
  kind: oneOf('free', 'fresh', 'combined', 'refined'),
  affordable: Type.Boolean(),
})
export type CurvePoint = Static<typeof CurvePoint>

export const Curve = Type.Object({
  query: Type.String(),
  confidence: Type.Number(),
  points: Type.Array(CurvePoint, { description: 'From the most precise and expensive one to the free one.' }),
  freeWithin: Type.Union([Type.Number(), Type.Null()], {
    description: 'From this half-width on, the answer is free; null if earlier answers do not determine it.',
  }),
  left: Cost,
})
export type Curve = Static<typeof Curve>

export const AskResponse = fromLibrary<Answer | ModelAnswer>('As `reticent ask --json` prints it.')
export type AskResponse = Static<typeof AskResponse>
export const PlanResponse = fromLibrary<Plan>('As `reticent ask --plan --json` prints it.')
export type PlanResponse = Static<typeof PlanResponse>
