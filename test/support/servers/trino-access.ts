import { generateKeyPairSync, pbkdf2Sync, randomBytes, sign } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeCertificates } from '../certificates.ts'
import type { TrinoFiles } from './trino-files.ts'

/** Who may come in over TLS, by a password or by a token. */
export const guest = { user: 'guest', password: 'pä:ss wörd' }

const key = (folder: string) => join(folder, 'token.key')

/**
 * Lets a coordinator ask for a password or a token over TLS. Over plain HTTP it goes on believing whoever says a name; its
 * workers must know the secret with which it speaks to them.
 */
export function secureAccess(folder: string, port: number): string[] {
  const { certificate, key: certificateKey } = makeCertificates(folder, 'localhost')
  const both = join(folder, 'server.pem')
  writeFileSync(both, readFileSync(certificateKey, 'utf8') + readFileSync(certificate, 'utf8'))
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const known = join(folder, 'token.pem')
  writeFileSync(known, publicKey.export({ type: 'spki', format: 'pem' }))
  writeFileSync(key(folder), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  writeFileSync(join(folder, 'passwords'), `${guest.user}:${hashed(guest.password)}\n`)
  const authenticator = ['password-authenticator.name=file', `file.password-file=${join(folder, 'passwords')}`]
  writeFileSync(join(folder, 'etc', 'password-authenticator.properties'), `${authenticator.join('\n')}\n`)
  return [
    'http-server.https.enabled=true',
    `http-server.https.port=${port}`,
    `http-server.https.keystore.path=${both}`,
    'http-server.authentication.type=PASSWORD,JWT',
    `http-server.authentication.jwt.key-file=${known}`,
    'http-server.authentication.allow-insecure-over-http=true',
  ]
}

/** As Trino's file of passwords has it. */
function hashed(password: string): string {
  const [rounds, salt] = [1000, randomBytes(16)]
  return [rounds, salt.toString('hex'), pbkdf2Sync(password, salt, rounds, 32, 'sha1').toString('hex')].join(':')
}

/** All plugins: the connectors, and those that come with the server, of which one looks up passwords. */
export function pluginFolder(files: TrinoFiles, folder: string): string {
  const all = join(folder, 'plugins')
  mkdirSync(all)
  for (const from of [files.plugins, join(files.home, 'plugin')])
    for (const name of readdirSync(from))
      if (from === files.plugins || name === 'password-authenticators') symlinkSync(join(from, name), join(all, name))
  return all
}

/** A token for somebody, good for so many seconds; signed by the server's own key, or by another. */
export function tokenFor(folder: string, user: string, seconds: number, signedBy = readFileSync(key(folder), 'utf8')) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const said = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ sub: user, exp: Math.floor(Date.now() / 1000) + seconds })}`
  return `${said}.${sign('sha256', Buffer.from(said), signedBy).toString('base64url')}`
}
