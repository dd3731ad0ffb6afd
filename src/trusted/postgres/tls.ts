import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
// Whole: Node 20 has no getCACertificates, and a name that is missing fails before anybody can say which Node is needed.
import tls, { type ConnectionOptions } from 'node:tls'
import { ReticentError } from '../../schema/index.ts'

/** What a URL or the environment says about TLS, in libpq's words. */
export interface TlsWishes {
  readonly mode: string
  /** A file of certificates that vouch for the server, or `system`. */
  readonly root?: string
  readonly certificate?: string
  readonly key?: string
}

const modes = 'disable allow prefer require verify-ca verify-full'.split(' ')

const invalid = (message: string, hint: string) => new ReticentError('policy-invalid', {}, { message, hint })

/**
 * The ways to connect, in the order in which they are tried; false is without TLS. As libpq means `sslmode`: below
 * `verify-ca` the certificate is not looked at, unless a root certificate is given; `verify-full` also compares the host's name.
 */
export async function tlsAttempts(wishes: TlsWishes, onSocket: boolean): Promise<(ConnectionOptions | false)[]> {
  const isSystem = wishes.root === 'system'
  const mode = isSystem && wishes.mode === 'prefer' ? 'verify-full' : wishes.mode
  if (!modes.includes(mode)) throw invalid('sslmode has an unknown value', `Known are ${modes.join(', ')}.`)
  if (isSystem && mode !== 'verify-full')
    throw invalid('sslrootcert=system goes with sslmode=verify-full alone', 'Say sslmode=verify-full.')
  // libpq never speaks TLS on a Unix socket, either.
  if (mode === 'disable' || onSocket) return [false]
  const encrypted = await options(mode, wishes)
  if (mode === 'allow') return [false, encrypted]
  return mode === 'prefer' ? [encrypted, false] : [encrypted]
}

async function options(mode: string, { root, certificate, key }: TlsWishes): Promise<ConnectionOptions> {
  const own = {
    ...(certificate && { cert: await pem(certificate, 'sslcert') }),
    ...(key && { key: await pem(key, 'sslkey') }),
  }
  const standard = join(homedir(), '.postgresql', 'root.crt')
  const file = root ?? (existsSync(standard) ? standard : undefined)
  if (mode === 'verify-full') return { ...own, ca: await authorities(file) }
  const isVerified = mode === 'verify-ca' || (file !== undefined && !['allow', 'prefer'].includes(mode))
  if (!isVerified) return { ...own, rejectUnauthorized: false }
  // The chain must hold; whose name is on it does not matter.
  return { ...own, ca: await authorities(file), checkServerIdentity: () => undefined }
}

async function authorities(file: string | undefined): Promise<string | string[]> {
  if (file === 'system') return tls.getCACertificates('system')
  if (file !== undefined) return pem(file, 'sslrootcert')
  throw invalid(
    'there is no root certificate to verify the server with',
    'Name its file with sslrootcert=…, or say sslrootcert=system.',
  )
}

const pem = (file: string, what: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => {
    throw invalid(`the ${what} file cannot be read`, 'Paths are relative to the current folder.')
  })
