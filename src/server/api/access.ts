import { type Static, Type } from 'typebox'
import { closed } from './common.ts'

/** owner: may do everything with a data set. analyst: may ask. open: the server has no tokens, and listens on this machine alone. */
export const Role = Type.Union([Type.Literal('owner'), Type.Literal('analyst'), Type.Literal('open')])
export type Role = Static<typeof Role>

export const Me = Type.Object({
  role: Role,
  analyst: Type.Optional(Type.String({ description: 'The name in the policy.' })),
  datasets: Type.Array(Type.Object({ name: Type.String(), role: Role, analyst: Type.Optional(Type.String()) }), {
    description: 'What the token gives access to.',
  }),
})
export type Me = Static<typeof Me>

export const Token = Type.Object({
  id: Type.String(),
  dataset: Type.String(),
  role: Type.Union([Type.Literal('owner'), Type.Literal('analyst')]),
  name: Type.Union([Type.String(), Type.Null()], {
    description: "The policy's analyst; otherwise a name to distinguish tokens.",
  }),
  created: Type.String(),
})
export type Token = Static<typeof Token>

export const NewToken = Type.Object(
  {
    dataset: Type.String({ maxLength: 200 }),
    role: Type.Union([Type.Literal('owner'), Type.Literal('analyst')]),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
)
export type NewToken = Static<typeof NewToken>

/** The one time that the token itself is shown. */
export const IssuedToken = Type.Object({ token: Type.String(), ...Token.properties })
export type IssuedToken = Static<typeof IssuedToken>
