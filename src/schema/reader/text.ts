import { readFile } from 'node:fs/promises'

/** Why a file could not be read as text; `line` where there is one. */
export interface TextFault {
  readonly missing: boolean
  readonly fault: string
  readonly line: number
}

const reasons: { [code: string]: string } = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'this file may not be read',
}

/** A whole file as text. Anything but UTF-8 is a fault: never mis-read in silence. A byte order mark is left out. */
export async function readText(path: string): Promise<{ readonly text: string } | TextFault> {
  try {
    const bytes = await readFile(path)
    try {
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
    } catch {
      const line = firstBadLine(bytes)
      return { missing: false, fault: `line ${line} is not UTF-8`, line }
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    return { missing: /^ENO(ENT|TDIR)$/.test(code), fault: reasons[code] ?? `it cannot be read (${code})`, line: 1 }
  }
}

/** A line feed never stands inside a longer UTF-8 character, so lines can be tried one by one. */
function firstBadLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (let from = 0, line = 1; ; line++) {
    const end = bytes.indexOf(10, from)
    try {
      decoder.decode(bytes.subarray(from, end < 0 ? bytes.length : end))
    } catch {
      return line
    }
    if (end < 0) return line
    from = end + 1
  }
}
