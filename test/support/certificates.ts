import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A certificate authority of one's own, and a certificate of its for a host. Made by openssl in a folder. */
export function makeCertificates(folder: string, host: string) {
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  for (const name of ['root', 'stranger'])
    openssl(
      'req',
      '-x509',
      ...key,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.crt`,
      '-subj',
      `/CN=${name}`,
      '-days',
      '2',
    )
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', `/CN=${host}`)
  writeFileSync(at('names'), `subjectAltName=DNS:${host}`)
  const signed = ['-CA', 'root.crt', '-CAkey', 'root.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
  openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.crt')
  return { root: at('root.crt'), stranger: at('stranger.crt'), certificate: at('server.crt'), key: at('server.key') }
}
