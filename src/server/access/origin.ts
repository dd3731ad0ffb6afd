import { HttpRefusal } from '../http-refusal.ts'

const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

export const isLoopback = (host: string): boolean => loopback.has(host) || /^127(\.\d{1,3}){3}$/.test(host)

/** Without its port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase()

/**
 * Refuses what a browser sends on behalf of another site. A server on this machine answers only to this machine's names, or a page whose
 * name its attacker points here could read the answers; and an Origin must be the server's own.
 */
export function checkOrigin(
  { host, origin }: { readonly host: string | undefined; readonly origin: string | undefined },
  allowed: readonly string[] | undefined,
): void {
  const name = nameOf(host ?? '')
  if (allowed && !allowed.includes(name) && !(allowed.includes('localhost') && isLoopback(name)))
    throw new HttpRefusal(
      'forbidden',
      'this server does not accept that host name',
      'The owner can allow it with --allow-host.',
    )
  if (origin === undefined) return
  if (origin === 'null' || !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase())
    throw new HttpRefusal('forbidden', 'requests from other sites are refused')
}

/** A browser says where a request comes from; a page elsewhere may link here, and has no business with what is below /api. */
export function checkSite(site: string | string[] | undefined): void {
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new HttpRefusal('forbidden', 'requests from other sites are refused')
}
