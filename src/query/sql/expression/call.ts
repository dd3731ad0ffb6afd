import type { Node } from '@pgsql/types'
import { nearest } from '../../../schema/index.ts'
import { insteadOfFunction } from '../alternatives.ts'
import { type Scope, unsupported } from '../scope.ts'
import { valueFunctions } from '../translation/functions.ts'
import { aggregateNames } from './functions.ts'

/** Why a function cannot stand where it does. */
export function unknownFunction(scope: Scope, node: Node, name: string) {
  if ((aggregateNames as readonly string[]).includes(name))
    return unsupported(scope, node, `the aggregate ${name} is not allowed here`)
  const near = nearest(name, [...aggregateNames, ...Object.keys(valueFunctions)])
  const message = `the function ${name} is not supported here`
  const instead = insteadOfFunction(name) ?? (near && `Did you mean ${near}?`)
  return unsupported(scope, node, message, instead, {
    ...(near && { nearest: near }),
  })
}
