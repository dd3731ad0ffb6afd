import { loadPolicy, type Policy, suggesting, usage } from '../../schema/index.ts'
import type { IssuedToken, NewToken, Token } from '../api/index.ts'
import { hashOf, newId, newToken } from './token.ts'
import { changeTokens, readTokens, type StoredToken } from './token-file.ts'

/** Where the tokens of a policy are, unless a file is named: beside it. */
export const tokensFileOf = (policyFile: string): string => `${policyFile}.tokens`

/** For whom a token is, and where it is kept. */
interface TokenOptions extends Pick<NewToken, 'role' | 'name'> {
  /** It opens all of these. */
  readonly policies: readonly string[]
  /** Beside each policy unless said. */
  readonly file?: string
}

/** Adds one token that opens these data sets. It is shown once: only its hash is kept. */
export async function addToken({ policies, file, role, name }: TokenOptions): Promise<IssuedToken[]> {
  const token = newToken()
  const read = await Promise.all(policies.map((policy) => loadPolicy(policy)))
  const added = read.map((policy): StoredToken => stored(policy, { role, name }, token))
  for (const [i, each] of added.entries())
    await changeTokens(file ?? tokensFileOf(read[i]!.file), (tokens) => [...tokens, each])
  return added.map((each) => ({ token, ...shown(each) }))
}

function stored(policy: Policy, { role, name }: Pick<NewToken, 'role' | 'name'>, token: string): StoredToken {
  const { dataset, privacy } = policy
  if (role === 'analyst' && privacy.analysts) {
    const names = [...privacy.analysts.keys()]
    if (name === undefined || !privacy.analysts.has(name))
      throw usage(
        name === undefined
          ? 'say for which analyst the token is'
          : `the policy names no analyst ${suggesting(name, names)}`,
        `The policy of ${dataset} names ${names.join(', ')}.`,
      )
  }
  const created = new Date().toISOString()
  return { id: newId(), dataset, role, name: name ?? null, created, sha256: hashOf(token) }
}

/** What may be shown of a token. */
const shown = ({ sha256: _, ...token }: StoredToken): Token => token

export async function listTokens(policies: readonly string[], file?: string): Promise<Token[]> {
  const found = await Promise.all(
    policies.map(async (path) => {
      const policy = await loadPolicy(path)
      return (readTokens(file ?? tokensFileOf(policy.file)) ?? []).filter(({ dataset }) => dataset === policy.dataset)
    }),
  )
  return found.flat().map(shown)
}

/** Takes away the token with this id; says which it was. Its jobs stop, and its next request is refused. */
export async function revokeToken(id: string, policies: readonly string[], file?: string): Promise<Token> {
  for (const path of policies) {
    const policy = await loadPolicy(path)
    let found: StoredToken | undefined
    const from = file ?? tokensFileOf(policy.file)
    if (readTokens(from) === undefined) continue
    await changeTokens(from, (tokens) => {
      found = tokens.find((token) => token.id === id && token.dataset === policy.dataset)
      return tokens.filter((token) => token !== found)
    })
    if (found) return shown(found)
  }
  throw usage(`there is no token ${JSON.stringify(id)}`, '`reticent token list` names them.')
}
