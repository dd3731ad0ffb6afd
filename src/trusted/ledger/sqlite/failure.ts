import { ReticentError } from '../../../schema/index.ts'
import { corrupt } from '../damage.ts'

/**
 * What a failure of SQLite or of the file system means for whoever asks. Anything unforeseen passes through as it is:
 * it is a mistake of ours, not a state of the ledger.
 */
export function explain(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)) return busy(path)
  if (/^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|PERM|AUTH|NOLFS)/.test(code) || fileFailures.has(code))
    return unwritable(path, code)
  if (/^SQLITE_(CORRUPT|NOTADB|CONSTRAINT|MISMATCH|ERROR|SCHEMA|FORMAT|TOOBIG)/.test(code))
    return corrupt(`SQLite cannot use ${path} (${code})`, { path })
  return error
}

const fileFailures = new Set([
  'EACCES',
  'EBUSY',
  'EDQUOT',
  'EFBIG',
  'EIO',
  'EISDIR',
  'ELOOP',
  'EMFILE',
  'EMLINK',
  'ENAMETOOLONG',
  'ENFILE',
  'ENOENT',
  'ENOSPC',
  'ENOSYS',
  'ENOTDIR',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EPERM',
  'EROFS',
  'ETXTBSY',
])

export const busy = (path: string) =>
  new ReticentError(
    'ledger-busy',
    { path },
    {
      message: 'another process has locked the ledger; nothing was written',
      detail: path,
      hint: 'Try again. If it stays locked, look for a process that hangs, or for one of an older version of Reticent.',
    },
  )

const unwritable = (path: string, code: string) =>
  new ReticentError(
    'ledger-unwritable',
    { path, reason: code },
    {
      message: 'the ledger cannot be written, so nothing can be bought',
      detail: `${path}: ${reasons.find(([pattern]) => pattern.test(code))?.[1] ?? code}`,
      hint: 'The ledger and its folder must exist and be writable, with space left on the disk.',
    },
  )

const reasons: readonly [RegExp, string][] = [
  [/FULL|ENOSPC|EDQUOT|EFBIG/, 'no space left'],
  [/READONLY|EROFS|EACCES|EPERM|PERM|AUTH/, 'read-only, or permission denied'],
  [/ENOENT|ENOTDIR/, 'the folder does not exist'],
]
