import { type Static, Type } from 'typebox'

/** An object of which every member is named: what is mistyped is refused, not overlooked. */
export const closed = { additionalProperties: false } as const

/** A number, or the same as text: "0.1" is one tenth exactly. */
export const Amount = Type.Union([Type.Number(), Type.String({ maxLength: 60 })])

export const Cost = Type.Object(
  {
    epsilon: Type.Number(),
    delta: Type.Number(),
    rho: Type.Optional(Type.Number({ description: 'Present if the policy has δ > 0.' })),
  },
  { description: 'A privacy cost: ε at δ.' },
)

/** Every refusal and failure looks like this, whatever its status. Facts such as `left` stand beside the code. */
export const Failure = Type.Object({
  error: Type.Object(
    {
      code: Type.String({ description: 'From a closed list, such as budget-exceeded.' }),
      message: Type.String(),
      detail: Type.Optional(Type.String()),
      hint: Type.Optional(Type.String({ description: 'What to do next.' })),
      paid: Type.Optional(Type.Number({ description: 'The ε that was spent all the same.' })),
      position: Type.Optional(Type.Number({ description: 'The position in the SQL: a character number, from 1.' })),
    },
    { additionalProperties: true },
  ),
  free: Type.Optional(
    Type.Unsafe<unknown>({ type: 'object', description: 'The best free answer, in the form of an answer to ask.' }),
  ),
})
export type Failure = Static<typeof Failure>

/** What the library's own types describe: stated in the docs of the command line's --json. */
export const fromLibrary = <T>(description: string) =>
  Type.Unsafe<T>({ type: 'object', additionalProperties: true, description })

/** One of these words. A union that is made from a list would have lost their types. */
export const oneOf = <const T extends string>(...words: readonly T[]) =>
  Type.Unsafe<T>(Type.Union(words.map((word) => Type.Literal(word))))
