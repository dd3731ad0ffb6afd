import { compare, rational, toNumber } from '../../numeric/index.ts'
import type { Source } from '../policy.ts'
import type { Entry, Reading } from './reading.ts'

/** Keys of a source that go with PostgreSQL alone. */
export const postgresKeys = ['timeout'] as const

const expected = 'a URL that begins with postgresql:// or env:NAME of a variable that holds one'

/**
 * The address of a PostgreSQL, as it is written: `env:NAME` is looked up when somebody connects. A policy is public, so a
 * password in it is a mistake.
 */
export function readPostgresUrl(reading: Reading, entry: Entry): string | undefined {
  const text = reading.text(entry, expected)
  if (text === undefined || /^env:[A-Za-z_]\w*$/.test(text)) return text
  if (!/^postgres(ql)?:\/\//.test(text)) return reading.mistake(entry, `expected ${expected}`)
  // Several hosts, or none, are no URL to everybody; a password is found in either.
  const password = /^[a-z]+:\/\/[^/?#@]*:[^/?#]*@|[?&]password=/i.test(text)
  return password
    ? reading.mistake(
        entry,
        'a policy is public and holds no password: use PGPASSWORD, a password file, or env:NAME for the whole URL',
      )
    : text
}

export function readPostgres(
  reading: Reading,
  fields: ReadonlyMap<string, Entry>,
  view: { readonly table?: string; readonly sql?: string },
): Source | undefined {
  const url = readPostgresUrl(reading, fields.get('postgres')!)
  const at = fields.get('timeout')
  const seconds = at && reading.number(at, 'seconds, from 1 to 86400', (n) => isBetween(n, 1, 86_400))
  const timeout = seconds ? { timeout: toNumber(seconds) } : {}
  return url === undefined ? undefined : { kind: 'postgres', url, ...view, ...timeout }
}

const isBetween = (n: Parameters<typeof compare>[0], low: number, high: number) =>
  compare(n, rational(low)) >= 0 && compare(n, rational(high)) <= 0
