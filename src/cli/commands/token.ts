import { addToken, listTokens, revokeToken } from '../../server/index.ts'
import { table } from '../format.ts'
import type { Output } from '../output.ts'

interface TokenFlags {
  policy: string[]
  tokens?: string
}

/**
 * Makes a token for an analyst of the policy, or for an owner. It is shown this once.
 *
 *     reticent token add alice
 */
export async function add(
  name: string | undefined,
  flags: TokenFlags & { owner: boolean },
  out: Output,
): Promise<void> {
  const { policy: policies, tokens: file, owner } = flags
  const role = owner ? 'owner' : 'analyst'
  const added = await addToken({ policies, role, ...(name !== undefined && { name }), ...(file && { file }) })
  const [{ token }] = added as [(typeof added)[number]]
  await out.result({ token, tokens: added.map(({ token: _, ...each }) => each) }, token)
  const opens = added.map(({ id, dataset }) => `${dataset} (id ${id})`).join(', ')
  await out.note(
    `This is a token of ${role === 'owner' ? 'an owner' : 'an analyst'} for ${opens}. It is shown this once.`,
  )
}

/** Who may ask; the tokens themselves are nowhere. */
export async function list({ policy, tokens: file }: TokenFlags, out: Output): Promise<void> {
  const tokens = await listTokens(policy, file)
  const rows = tokens.map(({ id, dataset, role, name, created }) => [
    id,
    dataset,
    role,
    name ?? '',
    created.slice(0, 10),
  ])
  await out.result(
    { tokens },
    rows.length > 0 ? table(['id', 'data set', 'role', 'name', 'made'], rows) : 'no tokens yet',
  )
}

/** Takes a token away: its next request is refused, and its jobs stop. */
export async function revoke(id: string, { policy, tokens: file }: TokenFlags, out: Output): Promise<void> {
  const revoked = await revokeToken(id, policy, file)
  await out.result({ revoked }, `the token ${id}${revoked.name === null ? '' : ` of ${revoked.name}`} is revoked`)
}
